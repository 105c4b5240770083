import { statSync } from 'node:fs';

/** Returns one line if a data folder cannot be made or used, since it or something above it is a file. */
export function findFolderProblem(folder: string): string[] {
  const problem = [`DATA_FOLDER: ${folder} is not a folder`];
  try {
    return statSync(folder).isDirectory() ? [] : problem;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOTDIR' ? problem : [];
  }
}
