/** Opens something that listens; a port that is taken becomes one message that names the variable to change. */
export async function listen<T>(variable: string, port: number, open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE')
      throw new Error(`Port ${port} is taken: set ${variable} to another, or to 0 for any free one`);
    if (code === 'EACCES')
      throw new Error(`Port ${port} needs rights that this process lacks: set ${variable} to one above 1023`);
    throw error;
  }
}
