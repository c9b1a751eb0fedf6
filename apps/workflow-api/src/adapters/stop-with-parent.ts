// The launcher loads this into the program that it runs: when the launcher is killed outright, the program stops as on SIGTERM
// instead of running on without a parent.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
// The listener alone would keep a finished program alive.
process.channel?.unref();
