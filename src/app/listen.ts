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
