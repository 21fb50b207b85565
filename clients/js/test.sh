#!/usr/bin/env bash
# Test the JavaScript loader in Node and in Chromium, on bots exported by this checkout: bash clients/js/test.sh
# Needs a Python with tinhorn[train] (PYTHON, by default that of .venv); installs what else is missing.
set -euo pipefail
cd "$(dirname "$0")"

# need COMMAND PACKAGE: install a Debian package when its command is missing.
need() {
    command -v "$1" >/dev/null && return
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$2"
}
need node nodejs
need npm npm
CHROMIUM=${CHROMIUM:-$(command -v chromium || true)}
[ -n "$CHROMIUM" ] || { need chromium chromium; CHROMIUM=$(command -v chromium); }

npm ci --no-audit --no-fund --silent
BUNDLES=$(mktemp -d)
trap 'rm -rf "$BUNDLES"' EXIT
"${PYTHON:-../../.venv/bin/python}" test/bundles.py "$BUNDLES"
export BUNDLES CHROMIUM
npm test
