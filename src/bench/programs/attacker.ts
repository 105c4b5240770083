import { parentPort, workerData } from 'node:worker_threads';
import { type FloodOptions, flood } from '../flood.ts';

/** Attacks until it is told to stop, in a thread of its own: making hostile input must not delay the answers that are timed. */
const stop = new AbortController();
parentPort?.once('message', () => stop.abort());
parentPort?.postMessage(await flood(workerData as FloodOptions, stop.signal));
