import type { FastifyInstance } from 'fastify';
import { request } from 'undici';

export interface Place {
  readonly variable: string;
  readonly host: string;
  readonly port: number;
}

/** @throws Error that names the variable to change, and who has the port, when it is taken or not permitted */
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

export async function inUse({ variable, host, port }: Place): Promise<Error> {
  const holder = (await isDocklineAt(host, port)) ? 'a running Dockline' : 'another program';
  return new Error(
    `${variable}: port ${port} is in use by ${holder}; set ${variable} to another port, or to 0 for any free port`,
  );
}

/** Time for requests under way when a server closes: as long as a webhook may take. */
const CLOSE_MS = 10_000;

/** Closes the application if that fails: its hooks may have begun to work. At its close, a sender that never ends would keep the process. */
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

export async function isDocklineAt(host: string, port: number): Promise<boolean> {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;
  try {
    const { body } = await request(`http://${name}:${port}/health/live`, { signal: AbortSignal.timeout(2000) });
    return ((await body.json()) as { status?: unknown }).status === 'live';
  } catch {
    return false;
  }
}
