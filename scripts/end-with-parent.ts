// Loaded into a server that a program starts for itself: ends it with that program, however that ends. A
// server that is left alone would keep its folder from the next run. What it has acknowledged is on the disk.

process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
process.channel?.unref();
