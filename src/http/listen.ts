import type { FastifyInstance } from 'fastify';
import { describeHolder } from './port-holder.ts';

/** Place to listen at, with the variable that sets its port. */
interface Place {
  readonly variable: string;
  readonly host: string;
  readonly port: number;
}

/** Opens a listener. @throws Error that names the variable to change, and who has the port, when it is taken or not permitted */
export async function listen<T>(place: Place, open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') throw await inUse(place);
    if (code === 'EACCES')
      throw new Error(`port ${place.port} requires privileges; set ${place.variable} to a port above 1023`);
    throw error;
  }
}

/** Creates the error of a port that somebody has. */
export async function inUse({ variable, host, port }: Place): Promise<Error> {
  const holder = await describeHolder(host, port);
  return new Error(
    `${variable}: port ${port} is in use by ${holder}; set ${variable} to another port, or to 0 for any free port`,
  );
}

/** Time for requests that are under way when a server closes, in milliseconds: as long as a whole webhook may take. */
const CLOSE_MS = 10_000;

/**
 * Listens with an application, which is closed if that fails: its hooks may have begun to work. Once it closes, requests that are under way
 * have a time to end: Node stops to limit them then, so that a sender that never ends would keep the process.
 * @throws Error as `listen` does
 */
export async function serve(
  variable: string,
  { app, host, port }: { readonly app: FastifyInstance; readonly host: string; readonly port: number },
  closeMs = CLOSE_MS,
): Promise<string> {
  app.addHook('preClose', async () => void setTimeout(() => app.server.closeAllConnections(), closeMs).unref());
  try {
    return await listen({ variable, host, port }, () => app.listen({ host, port }));
  } catch (error) {
    await app.close();
    throw error;
  }
}
