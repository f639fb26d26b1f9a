#!/bin/sh
# A class is graded on a Slurm of two nodes that this test starts on this machine. Half-way one node is
# killed and the controller restarted; the same command submits what is missing, and the results are those
# of a batch without Slurm.
#
#     slurm_test.sh LAB-CLASS ROOT BUILD
#
# Needs root, and Debian's slurmctld, slurmd, slurm-client and munge; exits with 77 (skipped) without them.
set -u
class=$1 root=$2 build=$3

[ "$(id -u)" = 0 ] || { echo "skipped: needs root"; exit 77; }
for program in slurmctld slurmd sbatch squeue scontrol munged; do
    command -v $program >/dev/null || { echo "skipped: no $program"; exit 77; }
done

folder=$(mktemp -d /var/tmp/slurm-test.XXXXXX)
chmod 755 "$folder"
stop_all() {
    for name in slurmctld g1 g2; do
        [ -f "$folder/$name.pid" ] && kill -9 "$(cat "$folder/$name.pid")" 2>/dev/null
    done
    pkill -9 -f "slurmstepd.*$folder" 2>/dev/null
    [ -z "${munge_pid-}" ] || kill "$munge_pid" 2>/dev/null
    rm -rf "$folder"
}
trap stop_all EXIT
fail() {
    echo "FAILED: $*"
    tail -n 20 "$folder"/*.log "$folder"/class-results/chunks/*/log-* 2>/dev/null
    exit 1
}

# --- Slurm ---------------------------------------------------------------------------------------------
host=$(hostname -s)
export SLURM_CONF="$folder/slurm.conf"
cat >"$SLURM_CONF" <<EOF
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=36817
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$folder/munge.socket
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
MpiDefault=none
ReturnToService=2
SlurmdTimeout=10
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool-%n
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/%n.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/%n.log
NodeName=g1 NodeHostname=$host NodeAddr=127.0.0.1 Port=36818 CPUs=1 RealMemory=4000
NodeName=g2 NodeHostname=$host NodeAddr=127.0.0.1 Port=36819 CPUs=1 RealMemory=4000
PartitionName=all Nodes=g1,g2 Default=YES MaxTime=INFINITE State=UP
EOF
mkdir "$folder/state" "$folder/munge" "$folder/spool-g1" "$folder/spool-g2"
dd if=/dev/urandom of="$folder/munge/key" bs=1024 count=1 2>/dev/null
chmod 400 "$folder/munge/key"
chmod 711 "$folder"
munged --foreground --force --key-file="$folder/munge/key" --socket="$folder/munge.socket" \
    --pid-file="$folder/munge/pid" --seed-file="$folder/munge/seed" --log-file="$folder/munge/log" \
    >"$folder/munged.log" 2>&1 &
munge_pid=$!
sleep 1
start_controller() { slurmctld || fail "slurmctld does not start"; }
start_controller
{ slurmd -N g1 && slurmd -N g2; } || fail "slurmd does not start"
idle_nodes() { sinfo -h -N -o '%N %t' 2>/dev/null | grep -c ' idle$'; }
for _ in $(seq 60); do
    [ "$(idle_nodes)" = 2 ] && break
    sleep 0.5
done
[ "$(idle_nodes)" = 2 ] || fail "the nodes do not become idle"

# --- A class -------------------------------------------------------------------------------------------
number=0
for file in "$root"/solutions/01-thread-indexing/also-right/*.cu "$root"/solutions/01-thread-indexing/*indexing.cu; do
    number=$((number + 1))
    mkdir -p "$folder/class/student$number"
    cp "$file" "$folder/class/student$number/thread_indexing.cu"
done
mkdir -p "$folder/class/student0"
echo '#error none' >"$folder/class/student0/thread_indexing.cu"
echo 'cpus = 1
memory = "1G"
chunk = 1' >"$folder/slurm.toml"

export LAB_ROOT="$root" LAB_BUILD="$build"
batch() { "$class" batch "$folder/class" --device vgpu "$@"; }
points() { # the results, without what may differ
    python3 - "$1" <<'EOF'
import glob, json, os, sys
for file in sorted(glob.glob(sys.argv[1] + "/gradings/*/*.jsonl")):
    lines = [json.loads(line) for line in open(file)]
    print(lines[0]["sha256"], [(line["name"], line["earned"], line["verdict"]) for line in lines if line["type"] == "test"])
EOF
}

batch --results "$folder/local" >"$folder/local.log" 2>&1 || fail "the batch without Slurm"
points "$folder/local" >"$folder/expected"
[ "$(wc -l <"$folder/expected")" = $((number + 1)) ] || fail "not every submission has a result"

# --- On Slurm, with accidents --------------------------------------------------------------------------
batch --executor slurm --slurm-config "$folder/slurm.toml" >"$folder/first.log" 2>&1 || fail "submitting"
grep -q "Submitted $((number + 1)) gradings" "$folder/first.log" || fail "what was submitted"
results() { find "$folder/class-results/gradings" -name '*.jsonl' 2>/dev/null | wc -l; }
for _ in $(seq 240); do
    [ "$(results)" -ge 2 ] && break
    sleep 0.5
done
[ "$(results)" -ge 2 ] || fail "no result within two minutes"
kill -9 "$(cat "$folder/g2.pid")"
pkill -9 -f "slurmstepd: .*" 2>/dev/null
kill -9 "$(cat "$folder/slurmctld.pid")"
sleep 1
start_controller
slurmd -N g2 || fail "slurmd does not start again"
scontrol update nodename=g2 state=resume 2>/dev/null

for _ in 1 2 3 4; do
    timeout 300 "$class" batch "$folder/class" --device vgpu --executor slurm \
        --slurm-config "$folder/slurm.toml" --wait >"$folder/again.log" 2>&1
    [ "$(results)" = $((number + 1)) ] && break
done
points "$folder/class-results" >"$folder/got"
cmp "$folder/expected" "$folder/got" || fail "the results differ from those without Slurm"
batch --executor slurm --slurm-config "$folder/slurm.toml" >"$folder/last.log" 2>&1 || fail "the last call"
grep -q "0 graded now, $((number + 1)) known" "$folder/last.log" || fail "something was graded twice"
echo "$((number + 1)) submissions graded on Slurm, with a node killed and the controller restarted"
