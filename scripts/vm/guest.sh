# Runs in the virtual machine as pid 1, by bash: prepares the system, does the job that
# scripts/test-vm left in /vm, writes what came of it to the second disk, and switches off. The test
# programs it runs twice: as pid 1, then out of a service of systemd, which it has become.
# SPDX-License-Identifier: MIT
#
#   /vm/command    a shell command to run as root; without it:
#   /vm/programs   the test programs, a line each, and /vm/filter, which of their tests
#   /vm/host-tests files in /vm/tests, a line each, for the command that /vm/sandboxctl names
#   /vm/seconds    how long all of it may take, from the start of the machine
#
# shellcheck shell=bash
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
# Nothing that a test may need is missing here.
export LANG=C.UTF-8 HOME=/root CI=true SANDBOX_TESTS_MUST_WORK=1 SANDBOX_TEST_THROW_AWAY_MACHINE=1
busybox=/vm/busybox
cgroups=/sys/fs/cgroup

mount_all() {
  $busybox mount -t proc -o nosuid,nodev,noexec proc /proc
  $busybox mount -t sysfs -o nosuid,nodev,noexec sysfs /sys
  # As systemd mounts it.
  $busybox mount -t cgroup2 -o nosuid,nodev,noexec,nsdelegate,memory_recursiveprot \
    cgroup2 $cgroups
  mkdir -p /dev/pts /dev/shm
  $busybox mount -t devpts -o mode=620,ptmxmode=666 devpts /dev/pts
  $busybox mount -t tmpfs -o nosuid,nodev shm /dev/shm
  # What was taken along to here must stay in sight.
  [[ -n $(ls -A /run) ]] || $busybox mount -t tmpfs -o nosuid,nodev,mode=0755 run /run
  [[ -n $(ls -A /tmp) ]] || $busybox mount -t tmpfs -o nosuid,nodev tmp /tmp
  ln -s /proc/self/fd /dev/fd
  ln -s fd/0 /dev/stdin
  ln -s fd/1 /dev/stdout
  ln -s fd/2 /dev/stderr
}

# What a program finds: "service" is root's, as a service has one; "user" is delegated,
# as to a user's session, whose processes are in "user/main", so that "user" itself can hand on its
# controllers. What an earlier program left there is ended.
make_cgroups() {
  local file
  remove_cgroups
  mkdir $cgroups/service $cgroups/user $cgroups/user/main
  for file in . cgroup.procs cgroup.subtree_control cgroup.threads; do
    chown 1001:1001 "$cgroups/user/$file" "$cgroups/user/main/$file"
  done
}

remove_cgroups() {
  local cgroup tries
  for cgroup in service user; do
    for ((tries = 50; tries > 0; tries--)); do
      [[ -d $cgroups/$cgroup ]] || break
      echo 1 >"$cgroups/$cgroup/cgroup.kill"
      find "$cgroups/$cgroup" -depth -type d -exec rmdir {} + 2>/dev/null || sleep 0.1
    done
  done
}

seconds_left() {
  local up
  read -r up _ </proc/uptime
  echo $(($(</vm/seconds) - ${up%.*}))
}

# as_identity IDENTITY COMMAND...: runs it in its cgroup; leaves its exit code in status.
as_identity() {
  local cgroup='' left
  local -a become=()
  local -a user=(setpriv --reuid=1001 --regid=1001 --clear-groups --inh-caps=-all
    env HOME=/home/user)
  case $1 in
    root) cgroup=service ;;
    ordinary-user)
      cgroup=user/main
      become=("${user[@]}")
      ;;
    # In the cgroup of test-vm.service, as this is.
    systemd-service) ;;
    # In a scope of the system's, as logind makes one for a login.
    systemd-session)
      become=(systemd-run --quiet --scope --collect --slice=user-1001.slice "${user[@]}")
      ;;
    systemd-delegated)
      become=(systemd-run --quiet --scope --collect --property=Delegate=yes)
      ;;
  esac
  shift
  left=$(seconds_left)
  status=124
  if ((left > 0)); then
    status=0
    (
      [[ -z $cgroup ]] || echo "$BASHPID" >"$cgroups/$cgroup/cgroup.procs" || exit 125
      exec timeout --kill-after=2 "$left" "${become[@]}" "$@" </dev/null
    ) || status=$?
  fi
}

save() { tar -C /vm/out -cf /dev/vdb . && sync; }

# run_tests FILTER IDENTITY...
run_tests() {
  local filter=$1 identity program
  shift
  for identity in "$@"; do
    while read -r program; do
      # Not every program has a test for every identity.
      if ! grep -q '^  ' <<<"$("$program" --gtest_list_tests "--gtest_filter=$filter")"; then
        echo "$identity - $program" >>/vm/out/status
        continue
      fi
      echo "== $identity: $program"
      [[ $identity == systemd-* ]] || make_cgroups
      as_identity "$identity" "$program" --gtest_color=no "--gtest_filter=$filter" \
        "--gtest_output=xml:/vm/out/$identity.${program##*/}.xml"
      echo "$identity $status $program" >>/vm/out/status
      save
    done </vm/programs
  done
}

# As root, who changes settings of the machine and calls the command as either user.
run_host_tests() {
  local file name
  SANDBOXCTL=$(</vm/sandboxctl)
  export SANDBOXCTL
  while read -r name; do
    file=/vm/tests/$name
    echo "== hosts: $name"
    make_cgroups
    as_identity root python3 -B /vm/tests/run.py "$file" "/vm/out/hosts.$name.xml"
    echo "hosts $status $name" >>/vm/out/status
    save
  done </vm/host-tests
}

# Without the tests that take long and look at what is the kernel's alone.
run_tests_below_systemd() {
  local filter
  filter=$(</vm/filter)
  if [[ $filter == *-* ]]; then filter+=:; else filter+=-; fi
  filter+='*CgroupLimits*:*MachineControl*'
  export SANDBOX_TEST_CGROUP=scope
  run_tests "$filter" systemd-service systemd-session
  export SANDBOX_TEST_CGROUP=delegated
  run_tests "$filter" systemd-delegated
}

# Becomes systemd, whose test-vm.service runs this script again.
hand_over_to_systemd() {
  remove_cgroups
  mkdir -p /run/user/1001
  chown 1001:1001 /run/user/1001
  chmod 700 /run/user/1001
  exec /lib/systemd/systemd
}

switch_off() {
  # Or else the kernel adds a line of its own to what was asked for.
  echo 0 >/proc/sys/kernel/printk
  $busybox poweroff -f
}

cd /
$busybox stty -onlcr </dev/console
if (($$ != 1)); then
  run_tests_below_systemd
  switch_off
fi
mount_all
echo "+memory +pids +cpu" >$cgroups/cgroup.subtree_control
$busybox ip link set lo up
$busybox hostname vm
mkdir -p /home/user /vm/out
chown 1001:1001 /home/user
chmod 1777 /vm/out
if [[ -f /vm/command ]]; then
  make_cgroups
  as_identity root bash -c "$(</vm/command)"
  echo "$status" >/vm/out/exit-code
  save
  switch_off
fi
if [[ -f /vm/programs ]]; then
  SANDBOX_TEST_CGROUP=delegated run_tests "$(</vm/filter)" root ordinary-user
fi
if [[ -f /vm/host-tests ]]; then run_host_tests; fi
if [[ -f /vm/programs ]]; then hand_over_to_systemd; fi
switch_off
