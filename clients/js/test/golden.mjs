// Plays every golden row of a bundle; used in Node and in the browser. Gives what differs, for a test to look at.

export async function playGolden(bot, golden) {
  const found = { rows: golden.rows.length, probability: 0, value: 0, turned: 0, illegal: 0 };
  for (const row of golden.rows) {
    for (const greedy of [false, true]) {
      bot.greedy = greedy;
      const answer = await bot.choose(row.table, row.legal, row.uniform);
      const expected = new Array(bot.manifest.actions.count).fill(0);
      row.legal.forEach((id, k) => (expected[id] = row.probabilities[k]));
      const differences = expected.map((probability, id) => Math.abs(probability - answer.probabilities[id]));
      found.probability = Math.max(found.probability, ...differences);
      found.value = Math.max(found.value, Math.abs(row.value - answer.value));
      const choice = greedy ? row.greedy : row.sampled;
      if (choice !== null && choice !== answer.action) found.turned += 1;
      if (!row.legal.includes(answer.action)) found.illegal += 1;
    }
  }
  bot.greedy = false;
  return found;
}

/** The time of one decision, the table's encoding included, in words: a lower figure says more on a busy machine. */
export async function latency(bot, golden, decisions = 1500) {
  const times = [];
  for (let k = 0; k < decisions; k += 1) {
    const row = golden.rows[k % golden.rows.length];
    const start = performance.now();
    await bot.choose(row.table, row.legal, row.uniform);
    times.push(1000 * (performance.now() - start));
  }
  times.sort((a, b) => a - b);
  const at = (share) => times[Math.floor(share * (decisions - 1))].toFixed(0);
  return `one decision: 10% under ${at(0.1)} us, half under ${at(0.5)} us`;
}
