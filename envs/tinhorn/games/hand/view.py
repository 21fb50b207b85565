"""What a seat of Hand may see, as named integers. Seats are relative: 0 is the seat that looks."""

from tinhorn.core.bits import lowest_bit
from tinhorn.core.cards import JOKER
from tinhorn.core.encoding import FLAG, CardSlots, MultiHot, OneHot, Scaled
from tinhorn.core.kernel import kernel
from tinhorn.core.layout import Field, Layout
from tinhorn.core.vectors import spreader
from tinhorn.games.hand.melds import count_melds, high_of, is_run, joker_of, low_of, owner_of, suits_of
from tinhorn.games.hand.state import DEALS, KINDS, MELDS, OPENING, OVER, SEATS
from tinhorn.games.hand.words import ALL, JOKERS, ONE, TWO, by_card, hand_size, outs

HELD = 15  # cards in a hand at most
_SEATS = (SEATS,)
_MELDS = (MELDS,)
_NONE = "no such meld"

LAYOUT = Layout(
    Field("num_players", "Players.", 2, 4, encode=OneHot()),
    Field("teams", "1 if partners play together; the partner is seat 2.", 0, 1, encode=FLAG),
    Field("phase", "0 to draw, 1 to lay and throw.", 0, 1, none="the match is over", encode=OneHot()),
    Field("turn", "The seat to act.", 0, 3, none="the match is over", encode=OneHot()),
    Field("deal", "Deals completed.", 0, DEALS, encode=OneHot()),
    Field("starter", "The seat that began this deal.", 0, 3, encode=OneHot()),
    Field("turns", "Player turns completed in this deal.", 0, 100_000, encode=Scaled(128.0)),
    Field("turns_left", "Player turns until the match is cut off, at most 1000.", 0, 1000, encode=Scaled(1024.0)),
    Field(
        "hand",
        "Own cards.",
        0,
        JOKER,
        (HELD,),
        "no card",
        MultiHot(),
        cards=True,
        order="rising",
    ),
    Field(
        "best",
        "The greatest total of new melds in the hand; in one's own turn a card is kept to throw.",
        0,
        160,
        encode=Scaled(64.0),
    ),
    Field("deadwood", "What the other cards of the hand would cost.", 0, 200, encode=Scaled(128.0)),
    Field("loose", "1 for each kind, 2c .. As, among these other cards; no jokers.", 0, 1, (JOKER,), encode=FLAG),
    Field(
        "outs",
        "For each kind that is loose: cards not seen yet that make a meld with it and another loose one.",
        0,
        14,
        (JOKER,),
        encode=Scaled(8.0),
    ),
    Field(
        "missing",
        "Points that the best melds, with those staged, fall short of an opening.",
        0,
        OPENING,
        encode=Scaled(64.0),
    ),
    Field(
        "staged", "Points laid so far in an unfinished opening of the seat to act.", 0, OPENING - 1, encode=Scaled(64.0)
    ),
    Field("laid", "Moves that the seat to act laid something with in this turn.", 0, 40, encode=Scaled(8.0)),
    Field(
        "elsewhere", "1 if the seat to act has added to someone else's meld in this turn: no Hand.", 0, 1, encode=FLAG
    ),
    Field("opened_before", "1 if the seat to act had opened before this turn: no Hand.", 0, 1, encode=FLAG),
    Field(
        "fire_card",
        "The card taken from the fire that must still be melded.",
        0,
        JOKER,
        (),
        "none",
        OneHot(),
        cards=True,
    ),
    Field("fire_top", "The top card of the fire.", 0, JOKER, (), "the fire is empty", OneHot(), cards=True),
    Field(
        "fire",
        "Cards in the fire of each kind 2c .. As, Jo: all thrown in this stock cycle and not taken.",
        0,
        2,
        (KINDS,),
        encode=Scaled(2.0),
    ),
    Field(
        "fits",
        "1 for each kind, 2c .. As, Jo, that can be added to a meld or take its joker.",
        0,
        1,
        (KINDS,),
        encode=FLAG,
    ),
    Field("stock_size", "Cards in the stock.", 0, 105, encode=Scaled(64.0)),
    Field("hand_size", "Cards in each hand.", 0, HELD, _SEATS, encode=Scaled(16.0)),
    Field("opened", "1 for a player who has opened.", 0, 1, _SEATS, encode=FLAG),
    Field(
        "known_jokers", "Jokers that a player is known to hold, taken from a meld.", 0, 2, _SEATS, encode=Scaled(2.0)
    ),
    Field(
        "took",
        "The last card each player took from the fire in this deal, and melded.",
        0,
        JOKER,
        _SEATS,
        "none",
        CardSlots(),
        cards=True,
    ),
    Field("threw", "The last card each player threw in this deal.", 0, JOKER, _SEATS, "none", CardSlots(), cards=True),
    Field("meld_owner", "Who laid each meld, in the order they were laid.", 0, 3, _MELDS, _NONE, OneHot()),
    Field(
        "meld_suit",
        "The suit of a run: 0 clubs, 1 diamonds, 2 hearts, 3 spades.",
        0,
        3,
        _MELDS,
        "a set, or no such meld",
        OneHot(),
    ),
    Field(
        "meld_low",
        "Lowest position of a run, or the rank of a set: 1 ace low, 2 .. 13 king.",
        1,
        13,
        _MELDS,
        _NONE,
        Scaled(16.0),
    ),
    Field(
        "meld_high",
        "Highest position of a run: 3 .. 14 ace high.",
        3,
        14,
        _MELDS,
        "a set, or no such meld",
        Scaled(16.0),
    ),
    Field("meld_suits", "1 for each suit (c, d, h, s) that lies in a set.", 0, 1, (MELDS, 4), encode=FLAG),
    Field(
        "meld_joker",
        "Position the joker stands for in a run; 0 in a set: any suit that is missing.",
        0,
        14,
        _MELDS,
        "no joker",
        Scaled(16.0),
    ),
    Field(
        "scores",
        "Totals of the completed deals, lower is better; a team's for both partners.",
        -300,
        4000,
        _SEATS,
        encode=Scaled(128.0),
    ),
    Field("deal_points", "Points of the last completed deal.", -60, 800, _SEATS),
    Field("last_out", "Who went out in the last deal.", 0, 3, (), "no deal is completed"),
    Field("last_hand", "1 if the last deal was ended by a Hand.", 0, 1),
)

write_cards, add_cards = spreader(JOKER), spreader(JOKER, adds=True)

_NUM_PLAYERS = LAYOUT.at("num_players")
_TEAMS = LAYOUT.at("teams")
_PHASE = LAYOUT.at("phase")
_TURN = LAYOUT.at("turn")
_DEAL = LAYOUT.at("deal")
_STARTER = LAYOUT.at("starter")
_TURNS = LAYOUT.at("turns")
_TURNS_LEFT = LAYOUT.at("turns_left")
_HAND = LAYOUT.at("hand")
_BEST = LAYOUT.at("best")
_DEADWOOD = LAYOUT.at("deadwood")
_LOOSE = LAYOUT.at("loose")
_OUTS = LAYOUT.at("outs")
_MISSING = LAYOUT.at("missing")
_STAGED = LAYOUT.at("staged")
_LAID = LAYOUT.at("laid")
_ELSEWHERE = LAYOUT.at("elsewhere")
_OPENED_BEFORE = LAYOUT.at("opened_before")
_FIRE_CARD = LAYOUT.at("fire_card")
_FIRE_TOP = LAYOUT.at("fire_top")
_FIRE = LAYOUT.at("fire")
_FITS = LAYOUT.at("fits")
_STOCK_SIZE = LAYOUT.at("stock_size")
_HAND_SIZE = LAYOUT.at("hand_size")
_OPENED = LAYOUT.at("opened")
_KNOWN_JOKERS = LAYOUT.at("known_jokers")
_TOOK = LAYOUT.at("took")
_THREW = LAYOUT.at("threw")
_MELD_OWNER = LAYOUT.at("meld_owner")
_MELD_SUIT = LAYOUT.at("meld_suit")
_MELD_LOW = LAYOUT.at("meld_low")
_MELD_HIGH = LAYOUT.at("meld_high")
_MELD_SUITS = LAYOUT.at("meld_suits")
_MELD_JOKER = LAYOUT.at("meld_joker")
_SCORES = LAYOUT.at("scores")
_DEAL_POINTS = LAYOUT.at("deal_points")
_LAST_OUT = LAYOUT.at("last_out")
_LAST_HAND = LAYOUT.at("last_hand")


@kernel
def view(state, seat, out):
    """Write what ``seat`` may see into ``out`` (int32[V])."""
    seats = state.num_seats
    out[_NUM_PLAYERS] = seats
    out[_TEAMS] = state.teams
    out[_PHASE] = state.phase if state.phase != OVER else -1
    out[_TURN] = (state.actor - seat) % seats if state.actor >= 0 else -1
    out[_DEAL] = state.deal
    out[_STARTER] = (state.starter - seat) % seats
    out[_TURNS] = state.turns
    out[_TURNS_LEFT] = min(state.max_turns - state.turns, 1000)
    out[_BEST] = state.best[seat]
    out[_DEADWOOD] = state.deadwood[seat]
    out[_STAGED] = state.staged
    out[_LAID] = state.laid
    out[_ELSEWHERE] = state.elsewhere
    out[_OPENED_BEFORE] = state.opened_before
    out[_FIRE_CARD] = state.fire_card
    out[_FIRE_TOP] = state.fire[state.fire_size - 1] if state.fire_size > 0 else -1
    out[_STOCK_SIZE] = state.stock_end - state.next_card
    out[_LAST_OUT] = (state.last_out - seat) % seats if state.last_out >= 0 else -1
    out[_LAST_HAND] = state.last_hand
    write_kinds(state, seat, out)
    write_loose(state, seat, out)
    for step in range(SEATS):
        write_seat(state, (seat + step) % seats, step, step < seats, out)
    write_no_melds(out)
    for place in range(count_melds(state.melds)):
        write_meld(state.melds[place], place, seat, seats, out)


@kernel
def write_kinds(state, seat, out):
    """The seat's own cards; the fire and what fits the table, kind by kind."""
    one, two, fits = by_card(state.hands[seat, ONE]), by_card(state.hands[seat, TWO]), by_card(state.fits[0])
    write_cards(fits, 1, out, _FITS)
    held = 0
    while one != 0:
        card = lowest_bit(one)
        one &= one - 1
        for _ in range(1 + ((two >> card) & 1)):
            out[_HAND + held] = card
            held += 1
    for _ in range(state.hands[seat, JOKERS]):
        out[_HAND + held] = JOKER
        held += 1
    out[_HAND + held : _HAND + HELD] = -1
    out[_FITS + JOKER] = state.fits[1]
    once, twice = by_card(state.fire_kinds[ONE]), by_card(state.fire_kinds[TWO])
    write_cards(once, 1, out, _FIRE)
    add_cards(twice, 1, out, _FIRE)
    out[_FIRE + JOKER] = state.fire_kinds[JOKERS]


@kernel
def write_loose(state, seat, out):
    """The kinds outside the seat's best melds, and the cards that each waits for."""
    hand, fire, table = state.hands[seat], state.fire_kinds, state.table_kinds
    once = hand[ONE] | fire[ONE] | table[ONE]
    twice = (hand[ONE] & (fire[ONE] | table[ONE])) | (fire[ONE] & table[ONE]) | hand[TWO] | fire[TWO] | table[TWO]
    ones, twos, fours = outs(state.loose[seat], ALL & once & ~twice)
    twos_too, fours_too, eights = outs(state.loose[seat], ALL & ~once)  # both copies are still to come
    loose, ones, twos, fours = by_card(state.loose[seat]), by_card(ones), by_card(twos), by_card(fours)
    twos_too, fours_too, eights = by_card(twos_too), by_card(fours_too), by_card(eights)
    write_cards(loose, 1, out, _LOOSE)
    write_cards(ones, 1, out, _OUTS)
    for word, weight in ((twos, 2), (fours, 4), (twos_too, 2), (fours_too, 4), (eights, 8)):
        add_cards(word, weight, out, _OUTS)
    out[_MISSING] = max(OPENING - state.best[seat] - (state.staged if seat == state.actor else 0), 0)
    if state.opened[seat] != 0:
        out[_MISSING] = 0


@kernel
def write_seat(state, seat, step, there, out):
    """The public facts of one seat, at its place ``step`` clockwise from the seat that looks."""
    out[_HAND_SIZE + step] = hand_size(state.hands[seat]) if there else 0
    out[_OPENED + step] = state.opened[seat] if there else 0
    out[_KNOWN_JOKERS + step] = state.known_jokers[seat] if there else 0
    out[_TOOK + step] = state.took[seat] if there else -1
    out[_THREW + step] = state.threw[seat] if there else -1
    out[_SCORES + step] = state.scores[seat] if there else 0
    out[_DEAL_POINTS + step] = state.deal_points[seat] if there else 0


@kernel
def write_no_melds(out):
    """A table without melds: field by field, which is a few instructions for many places."""
    for place in range(MELDS):
        out[_MELD_OWNER + place] = -1
        out[_MELD_SUIT + place] = -1
        out[_MELD_LOW + place] = 0
        out[_MELD_HIGH + place] = 2
        out[_MELD_JOKER + place] = -1
    for place in range(4 * MELDS):
        out[_MELD_SUITS + place] = 0


@kernel
def write_meld(meld, place, seat, seats, out):
    """A meld on the table."""
    run, joker = is_run(meld), joker_of(meld)
    out[_MELD_OWNER + place] = (owner_of(meld) - seat) % seats
    out[_MELD_LOW + place] = low_of(meld)
    out[_MELD_JOKER + place] = -1 if joker == 0 else (joker if run else 0)
    if run:
        out[_MELD_SUIT + place] = suits_of(meld)
        out[_MELD_HIGH + place] = high_of(meld)
    else:
        for suit in range(4):
            out[_MELD_SUITS + 4 * place + suit] = (suits_of(meld) >> suit) & 1
