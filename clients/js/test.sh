#!/usr/bin/env bash
# Test the JavaScript loader in Node and in Chromium, on bots exported by this checkout: bash clients/js/test.sh
# Needs a Python with the train extra (PYTHON, by default that of .venv). Node, npm and Chromium that are missing are
# installed with apt-get, which asks for root; CHROMIUM names another browser.
set -euo pipefail
cd "$(dirname "$0")"

say() { printf '== %s\n' "$*"; }

# need COMMAND PACKAGE: install a Debian package when its command is missing.
need() {
    command -v "$1" >/dev/null && return
    say "$1 is missing: apt-get install $2"
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$2"
}
need node nodejs
need npm npm
CHROMIUM=${CHROMIUM:-$(command -v chromium || true)}
[ -n "$CHROMIUM" ] || { need chromium chromium; CHROMIUM=$(command -v chromium); }

say "The packages of package-lock.json (npm ci)"
npm ci --no-audit --no-fund --silent
BUNDLES=$(mktemp -d)
trap 'rm -rf "$BUNDLES"' EXIT
say "Exporting an untrained bot for each game: some minutes, and the games are compiled first"
"${PYTHON:-../../.venv/bin/python}" test/bundles.py "$BUNDLES"
export BUNDLES CHROMIUM
say "Tests in Node and in $CHROMIUM"
npm test
