/** What every part of a run is given. */
export interface Surroundings {
  readonly temporalBinary: string;
  /** A PostgreSQL server on which databases may be made. */
  readonly postgresServer: string;
  /** False where there is none. */
  readonly hasPostgres: boolean;
  readonly path: string;
  readonly say: (line: string) => void;
  /** Ends what is under way. */
  readonly signal: AbortSignal;
}

/** Names what was being done in an error that it fails with. */
export async function naming<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new Error(`${what}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}
