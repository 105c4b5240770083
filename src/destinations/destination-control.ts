import type { DestinationFilter, DestinationRef, Identity, IdentityRef } from '../domain/routing.ts';

/** Settings of a destination as a person gives them. */
export type GivenDestination = Readonly<Record<string, unknown>>;

/** Secrets that were made for a destination, which are shown once. */
export interface NewSecrets {
  /** Signs its announcements. */
  readonly secret?: string;
  /** Fetches records that were left out of them. */
  readonly recordsToken?: string;
}

/** Result of a test announcement. */
interface TestResult {
  readonly isDelivered: boolean;
  /** Answer, or why there was none. */
  readonly detail: string;
  readonly ms: number;
}

/** Changes of destinations while Dockline runs. */
export interface DestinationControl {
  /** Reports whether a destination was added, or is configured; undefined if there is none. */
  find(ref: DestinationRef): Promise<'added' | 'configured' | undefined>;
  /** Adds or changes a destination; returns its secrets that are new. @throws Problem 409 without keys, 400 for settings that do not fit */
  put(ref: DestinationRef, given: GivenDestination): Promise<NewSecrets>;
  /** Changes a destination likewise, and takes out what waits for it that it no longer wants; returns the number of that. @throws Problem 409 with that number unless it is agreed to */
  change(
    ref: DestinationRef,
    given: GivenDestination,
    agreed: { readonly unsent: boolean },
  ): Promise<NewSecrets & { readonly withdrawn: number }>;
  /** Counts what waits for a destination, dead letters included, and that it would not want with other settings, up to `COUNTED`. @throws Problem 400 for settings that do not fit */
  countUnwanted(ref: DestinationRef, given: GivenDestination): Promise<number>;
  /** Returns who a destination is: whoever is given its name later is somebody else. */
  identityOf(ref: DestinationRef): Promise<Identity>;
  /** Returns the name of a destination; the first one that it had, if it was removed or is configured. */
  nameOf(ref: IdentityRef): Promise<string>;
  /** Gives a destination that was added another name, under which it stays who it is. @throws Problem 400 for one that does not fit, 409 for one that is taken */
  rename(ref: DestinationRef, to: string): Promise<void>;
  /** Gives a destination a new secret of a sort; the one before is valid for that long as well, in milliseconds. */
  rotate(ref: DestinationRef, sort: keyof NewSecrets, validForMs: number): Promise<NewSecrets>;
  /** Returns the changes that a destination wants; undefined if there is none. */
  filterOf(ref: DestinationRef): Promise<DestinationFilter | undefined>;
  /** Counts what it is still to get, dead letters included, up to `COUNTED`. */
  countUnsent(ref: DestinationRef): Promise<number>;
  /** Removes a destination that was added, with what it was still to get. */
  remove(ref: DestinationRef): Promise<void>;
  /** Sends a test announcement. */
  test(ref: DestinationRef): Promise<TestResult>;
  pause(ref: DestinationRef, because: string): Promise<void>;
  resume(ref: DestinationRef): Promise<void>;
}
