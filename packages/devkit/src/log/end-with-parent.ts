// Loaded into a program before it starts: it ends when the process that started it does, however that ended, since its
// standard input is closed then.

process.stdin.on('end', () => process.exit());
process.stdin.resume();
