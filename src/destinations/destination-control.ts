import { randomBytes, randomUUID } from 'node:crypto';
import { messageOf } from '../domain/errors.ts';
import {
  type DestinationFilter,
  type DestinationRef,
  type Identity,
  identityWith,
  isMarked,
} from '../domain/routing.ts';
import { findTenant } from '../domain/tenant.ts';
import { formatIssue } from '../forms/word-issue.ts';
import { Problem } from '../http/problem.ts';
import { createTestAnnouncement } from './announcements/test-announcement.ts';
import type { DestinationContext } from './kinds/kind.ts';
import { kindOf, openDestination, USUAL_KIND } from './kinds/kinds.ts';
import {
  type GivenDestination,
  type ManagedDestinations,
  placeOf,
  type SealedDestination,
  settingsOf,
} from './managed-destinations.ts';
import { type Rotated, rotate } from './rotated.ts';
import type { Sealing } from './sealed.ts';
import { destinationName, managedDestination, type TenantDestinations } from './settings.ts';
import type { Destinations } from './tables/destinations.ts';
import type { LeftOut } from './tables/left-out.ts';
import { announcements } from './views/destination-row.ts';
import { visible } from './visible.ts';

/** Secrets that were made for a destination, which are shown once. */
export interface NewSecrets {
  /** Signs its announcements. */
  readonly secret?: string;
  /** Fetches records that were left out of them. */
  readonly recordsToken?: string;
}

/** Number of bytes of a secret that is made here. */
const SECRET_BYTES = 32;

/** Makes a secret of each sort. */
const made = {
  secret: () => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`,
  recordsToken: () => randomBytes(SECRET_BYTES).toString('base64url'),
} as const;

/** Secret to save, and to show once if it was made here. */
interface Saved {
  readonly saved: Rotated;
  readonly shown: NewSecrets;
}

const nothing: Saved = { saved: { values: [], othersUntil: null }, shown: {} };

/** Returns the secret that was given, or else the one before; undefined if there is none. */
function kept(given: readonly string[] | undefined, before: Rotated | undefined): Saved | undefined {
  if (given) return { saved: { values: given, othersUntil: null }, shown: {} };
  return before && before.values.length > 0 ? { saved: before, shown: {} } : undefined;
}

function make(sort: keyof NewSecrets): Saved {
  const value = made[sort]();
  return { saved: { values: [value], othersUntil: null }, shown: { [sort]: value } };
}

/** Parts that the changes of destinations need. */
interface ControlDeps {
  readonly destinations: Destinations;
  readonly leftOut: Pick<LeftOut, 'sealedDestinations'>;
  readonly managed: ManagedDestinations;
  readonly tenants: readonly TenantDestinations[];
  /** Tokens of the administrative API. */
  readonly operatorTokens: readonly string[];
  readonly context: DestinationContext;
}

/** Changes of destinations while Dockline runs. */
export type DestinationControl = ReturnType<typeof createDestinationControl>;

export function createDestinationControl({
  destinations,
  leftOut,
  managed,
  tenants,
  operatorTokens,
  context,
}: ControlDeps) {
  const configured = ({ tenant, name }: DestinationRef) =>
    findTenant(tenants, tenant)?.destinations.find((it) => it.name === name);

  /** Seals what is saved of a destination, under its identity. */
  const seal = (ref: DestinationRef, id: Identity, sealed: SealedDestination, sealing: Sealing) => ({
    id,
    settings: JSON.stringify(visible(settingsOf(ref, sealed))),
    sealed: sealing.seal(JSON.stringify(sealed), placeOf({ tenant: ref.tenant, id })),
  });

  /** Adds a destination, or changes the one that was found. @throws Problem 409 if it was added, or removed, meanwhile */
  async function save(ref: DestinationRef, before: Identity | undefined, sealed: SealedDestination, sealing: Sealing) {
    const saved = seal(ref, before ?? newIdentity(ref.name), sealed, sealing);
    if (before === undefined) {
      if (!(await destinations.add(ref, saved))) throw isTaken(ref.name);
    } else if (!(await destinations.change(ref.tenant, saved)))
      throw new Problem(409, `The destination ${ref.name} was removed meanwhile.`);
  }

  /** Refuses tokens with which a receiver could do what operators can. */
  function refuseOperators(tokens: readonly string[] = []): void {
    if (operatorTokens.some((token) => tokens.includes(token)))
      throw new Problem(400, 'recordsToken: is a token of the administrative API, which no receiver may have');
  }

  /** Refuses tokens of another destination, whose records they would show. */
  async function refuseShared(ref: DestinationRef, tokens: readonly string[] = []): Promise<void> {
    if (tokens.length === 0) return;
    const added = (await leftOut.sealedDestinations()).filter((it) => it.tenant !== ref.tenant || it.name !== ref.name);
    const others = [
      ...tenants.flatMap(({ destinations }) => destinations.flatMap((it) => it.recordsToken ?? [])),
      ...added.flatMap(managed.recordsTokensIn),
    ];
    if (others.some((token) => tokens.includes(token)))
      throw new Problem(400, 'recordsToken: is that of another destination, whose records it would show');
  }

  function needSealing(): Sealing {
    if (managed.sealing) return managed.sealing;
    throw new Problem(
      409,
      'Destinations can only be added where DESTINATION_KEYS is set, since their secrets are stored.',
    );
  }

  /** Parses the settings of a destination. @throws Problem 400 */
  function parse(ref: DestinationRef, given: GivenDestination) {
    const parsed = managedDestination.safeParse({ ...given, name: ref.name }, { error: formatIssue });
    if (parsed.error) throw new Problem(400, parsed.error.issues.map(describeIssue).join('; '));
    return parsed.data;
  }

  /** Adds or changes a destination; returns its secrets that are new. @throws Problem 409 without keys, 400 for settings that do not fit */
  async function put(ref: DestinationRef, settingsAndSecrets: GivenDestination): Promise<NewSecrets> {
    const sealing = needSealing();
    if (!findTenant(tenants, ref.tenant)) throw new Problem(400, `tenant: no warehouse ${ref.tenant} is configured`);
    if (configured(ref)) throw new Problem(409, `${ref.name} is configured; change it there.`);
    const { kind, detail, recordsToken: tokens, ...settings } = parse(ref, settingsAndSecrets);
    const { secret: _secret, recordsToken: _recordsToken, ...given } = settingsAndSecrets;
    refuseOperators(tokens);
    await refuseShared(ref, tokens);
    const before = await managed.read(ref);
    const fetching = kept(tokens, before?.recordsToken) ?? (detail === 'full' ? nothing : make('recordsToken'));
    const own = 'secret' in settings ? settings.secret : undefined;
    const isSigned = 'secret' in kindOf(kind).forms;
    const beforeSecret = isSigned ? before?.secret : undefined;
    const signing = kept(own, beforeSecret) ?? (kind === USUAL_KIND ? make('secret') : nothing);
    await save(ref, before?.id, { given, secret: signing.saved, recordsToken: fetching.saved }, sealing);
    return { ...signing.shown, ...fetching.shown };
  }

  return {
    /** Reports whether a destination was added, or is configured; undefined if there is none. */
    async find(ref: DestinationRef): Promise<'added' | 'configured' | undefined> {
      if (configured(ref)) return 'configured';
      return (await destinations.find(ref)) && 'added';
    },

    put,

    /** Changes a destination likewise, and takes out what waits for it that it no longer wants; returns the number of that. @throws Problem 409 with that number unless it is agreed to */
    async change(
      ref: DestinationRef,
      given: GivenDestination,
      { unsent }: { readonly unsent: boolean },
    ): Promise<NewSecrets & { readonly withdrawn: number }> {
      const filter = parse(ref, given);
      const unwanted = await destinations.countUnwanted(ref, filter);
      if (unwanted > 0 && !unsent)
        throw new Problem(
          409,
          `Waiting and no longer wanted: ${announcements(unwanted)}; take them out with "unsent".`,
        );
      const secrets = await put(ref, given);
      return { ...secrets, withdrawn: await destinations.withdrawUnwanted(ref, filter) };
    },

    /** Counts what waits for a destination, dead letters included, and that it would not want with other settings, up to `COUNTED`. @throws Problem 400 for settings that do not fit */
    countUnwanted: async (ref: DestinationRef, given: GivenDestination): Promise<number> =>
      await destinations.countUnwanted(ref, parse(ref, given)),
    identityOf: destinations.identityOf,

    /** Gives a destination a new secret of a sort; the one before is valid for that long as well, in milliseconds. */
    async rotate(ref: DestinationRef, sort: keyof NewSecrets, validForMs: number): Promise<NewSecrets> {
      const sealing = needSealing();
      const read = await managed.read(ref);
      if (!read) throw new Problem(409, `${ref.name} is configured; change its secret there.`);
      const { id, ...before } = read;
      if (sort === 'secret' && before.secret.values.length === 0)
        throw new Problem(409, `What ${ref.name} gets is not signed, so that there is no secret to replace.`);
      const value = made[sort]();
      await save(ref, id, { ...before, [sort]: rotate(before[sort], value, validForMs) }, sealing);
      return { [sort]: value };
    },

    /** Returns the changes that a destination wants; undefined if there is none. */
    async filterOf(ref: DestinationRef): Promise<DestinationFilter | undefined> {
      const settings = configured(ref);
      if (settings) return settings;
      const found = await destinations.find(ref);
      return found && JSON.parse(found.settings);
    },

    /** Gives a destination that was added another name, under which it stays who it is. @throws Problem 400 for one that does not fit, 409 for one that is taken */
    async rename({ tenant, name }: DestinationRef, to: string): Promise<void> {
      const { error } = destinationName.safeParse(to, { error: formatIssue });
      if (error) throw new Problem(400, error.issues.map(({ message }) => `to: ${message}`).join('; '));
      const id = await destinations.identityOf({ tenant, name });
      // Whoever is given the name later would have its identity.
      if (!isMarked(id))
        throw new Problem(
          409,
          `${name} was added by a version that knew destinations by their names, and keeps its own.`,
        );
      if (to === name || configured({ tenant, name: to }) || !(await destinations.rename({ tenant, id }, to)))
        throw isTaken(to);
    },

    nameOf: destinations.nameOf,
    countUnsent: destinations.countUnsent,
    remove: destinations.remove,
    pause: async (ref: DestinationRef, because: string): Promise<void> =>
      destinations.pause(await destinations.toIdentity(ref), because),
    resume: async (ref: DestinationRef): Promise<void> => destinations.resume(await destinations.toIdentity(ref)),

    /** Sends a test announcement; `detail` is the answer, or why there was none. */
    async test(ref: DestinationRef) {
      const startedAt = performance.now();
      const since = () => Math.round(performance.now() - startedAt);
      try {
        const settings = configured(ref) ?? (await managed.find(ref))?.settings;
        if (!settings) throw new Error('there is no such destination');
        const client = openDestination(settings, context);
        const signal = AbortSignal.timeout(context.timeoutMs);
        const { status } = await client.send(createTestAnnouncement(ref.tenant), signal).finally(client.close);
        return { isDelivered: true, detail: `answered ${status}`, ms: since() };
      } catch (error) {
        return { isDelivered: false, detail: messageOf(error), ms: since() };
      }
    },
  };
}

const newIdentity = (name: string): Identity => identityWith(name, randomUUID().slice(0, 8));

const isTaken = (name: string) => new Problem(409, `There is a destination ${name} already.`);

const describeIssue = ({
  path,
  message,
}: {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}): string => `${path.join('.')}: ${message}`;
