// Loaded into processes that tests start (test/support/child.ts): ends them with the process that started them,
// however that ended. The channel between the two breaks in any case.

process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
// Programs that end by themselves still do.
process.channel.unref();
