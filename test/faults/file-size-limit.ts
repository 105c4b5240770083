/** Loaded before Dockline into its process: a write beyond the limit then fails with EFBIG, where it would end the process. */
process.on('SIGXFSZ', () => {});
