#!/usr/bin/env bash
# Brings what the specs of steps on other hosts and in containers need, on Debian, as root. Without it they are skipped.
set -euo pipefail
export DEBIAN_FRONTEND=noninteractive
apt-get update
apt-get install --yes --no-install-recommends openssh-server openssh-client docker.io busybox-static iproute2 util-linux
