import { constants, platform, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { type FloodOptions, flood } from '../flood.ts';

/**
 * Attacks until it is told to stop, in a thread of its own: making hostile input must not delay the answers that are timed. Nor must
 * what signing it takes from the cores, so the thread has the lowest priority where threads have their own: on Linux.
 */
if (platform() === 'linux') setPriority(constants.priority.PRIORITY_LOW);

const stop = new AbortController();
parentPort?.once('message', () => stop.abort());
parentPort?.postMessage(await flood(workerData as FloodOptions, stop.signal));
