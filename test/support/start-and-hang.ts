// Program for tests: starts a Temporal server, prints its pid, and runs until it is killed.
import { startTemporalServer } from './temporal-server.ts';

const [, , binary = '', folder = '', port = ''] = process.argv;
const { pid } = await startTemporalServer({ binary, folder, port: Number(port) });
console.log(pid);
setInterval(() => {}, 1_000);
