import { constants, platform, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { type FloodOptions, prepareFlood } from '../flood.ts';

/**
 * Says when it is ready and attacks until it is told to stop, in a thread of its own: sending hostile input must not delay the answers
 * that are timed. Nor must what it takes from the cores, so the thread has the lowest priority where threads have their own: on Linux.
 */
if (platform() === 'linux') setPriority(constants.priority.PRIORITY_LOW);

const stop = new AbortController();
parentPort?.once('message', () => stop.abort());
const flood = prepareFlood(workerData as FloodOptions);
parentPort?.postMessage('ready');
parentPort?.postMessage(await flood(stop.signal));
