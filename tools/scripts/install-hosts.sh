#!/usr/bin/env bash
# Installs what the specs of steps on other hosts and in containers start, on Debian as root. Without it they are skipped.
set -euo pipefail
PATH="$PATH:/usr/sbin:/sbin"
for program in sshd ssh dockerd docker containerd runc busybox ip nsenter; do
  command -v "$program" >/dev/null || missing="${missing:-} $program"
done
if [ -z "${missing:-}" ]; then exit 0; fi
# Specs start servers of their own; those of the system stay down.
export DEBIAN_FRONTEND=noninteractive RUNLEVEL=1
apt=(apt-get -qq -o Acquire::Retries=2 -o Acquire::http::Timeout=20 -o DPkg::Lock::Timeout=60)
"${apt[@]}" update
"${apt[@]}" install --yes --no-install-recommends openssh-server openssh-client docker.io busybox-static ksh mksh zsh iproute2 util-linux
