import type { FastifyInstance } from 'fastify';

/** Opens a listener. @throws Error that names the variable to change when the port is taken or not permitted */
export async function listen<T>(variable: string, port: number, open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE')
      throw new Error(`port ${port} is in use; set ${variable} to another port, or to 0 for any free port`);
    if (code === 'EACCES') throw new Error(`port ${port} requires privileges; set ${variable} to a port above 1023`);
    throw error;
  }
}

/** Listens with an application, which is closed if that fails: its hooks may have begun to work. @throws Error as `listen` does */
export async function serve(
  variable: string,
  { app, host, port }: { readonly app: FastifyInstance; readonly host: string; readonly port: number },
): Promise<string> {
  try {
    return await listen(variable, port, () => app.listen({ host, port }));
  } catch (error) {
    await app.close();
    throw error;
  }
}
