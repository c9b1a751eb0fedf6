#!/usr/bin/env bash
# Installs what specs start beyond Node, on Debian as root: hosts, containers, shells and Python. Without it they are skipped.
set -euo pipefail
PATH="$PATH:/usr/sbin:/sbin"
for program in git sshd ssh dockerd docker containerd runc busybox ksh mksh zsh ip nsenter python3 bwrap redis-server nginx iptables mmdebstrap; do
  command -v "$program" >/dev/null || missing="${missing:-} $program"
done
python3 -c 'import ensurepip, venv' 2>/dev/null || missing="${missing:-} python3-venv"
if [ -z "${missing:-}" ]; then exit 0; fi
# Specs start servers of their own; those of the system stay down.
export DEBIAN_FRONTEND=noninteractive RUNLEVEL=1
apt=(apt-get -qq -o Acquire::Retries=2 -o Acquire::http::Timeout=20 -o DPkg::Lock::Timeout=60)
"${apt[@]}" update
"${apt[@]}" install --yes --no-install-recommends git openssh-server openssh-client docker.io busybox-static ksh mksh zsh iproute2 util-linux \
  python3 python3-venv bubblewrap redis-server nginx-light iptables mmdebstrap
