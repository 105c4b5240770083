import { randomBytes } from 'node:crypto';
import type { DestinationControl, GivenDestination } from '../admin/destination-control.ts';
import { http } from '../announcements/http.ts';
import { createTestAnnouncement } from '../announcements/test-announcement.ts';
import type { Config } from '../config/config.ts';
import { managedDestination } from '../config/tenants/schema.ts';
import { type DestinationSettings, findTenant, type TenantSettings } from '../config/tenants/tenant.ts';
import { wordIssue } from '../config/word-issue.ts';
import { messageOf } from '../domain/errors.ts';
import type { DestinationRef } from '../domain/routing.ts';
import { Problem } from '../http/problem.ts';
import type { Destinations } from '../store/tables/destinations.ts';
import { openDestination } from './open-destination.ts';
import { createSealing, type Sealing } from './sealed.ts';

/** Sealed part of a destination: its settings as they were given, and until when secrets but the first are valid. */
interface SealedDestination {
  readonly given: GivenDestination;
  /** Secrets, the newest first. */
  readonly secrets: readonly string[];
  /** Milliseconds since the epoch; null for ever. */
  readonly othersUntil: number | null;
}

/** Place of a destination's secrets, so that those of one cannot be put in the place of another. */
const placeOf = ({ tenant, name }: DestinationRef): string => `destination ${tenant} ${name}`;

/** Destinations that were added while Dockline runs, with their secrets. */
export type ManagedDestinations = ReturnType<typeof createManagedDestinations>;

/** Opens the destinations that were added while Dockline runs. */
export function createManagedDestinations(
  destinations: Pick<Destinations, 'find'>,
  { DESTINATION_KEYS: keys }: Pick<Config, 'DESTINATION_KEYS'>,
) {
  const sealing = keys && createSealing(keys);

  /** Reads what is sealed; undefined if no such destination was added. @throws Error if its secrets cannot be opened */
  async function read(ref: DestinationRef): Promise<SealedDestination | undefined> {
    const found = await destinations.find(ref);
    if (!found) return undefined;
    const text = sealing?.open(found.sealed, placeOf(ref));
    if (text === undefined) throw new Error(`DESTINATION_KEYS lacks the key of the secrets of ${ref.name}`);
    return JSON.parse(text);
  }

  return {
    sealing,
    read,
    /** Returns the settings with the secrets that are valid now; undefined if no such destination was added. */
    async settingsOf(ref: DestinationRef): Promise<DestinationSettings | undefined> {
      const sealed = await read(ref);
      return sealed && settingsOf(ref, sealed);
    },
  };
}

function settingsOf({ name }: DestinationRef, { given, secrets, othersUntil }: SealedDestination): DestinationSettings {
  const valid = othersUntil !== null && Date.now() >= othersUntil ? secrets.slice(0, 1) : secrets;
  const { kinds, types, customers, ...parsed } = managedDestination.parse({ ...given, name });
  return { ...http.toSettings({ ...parsed, secret: valid }), name, kinds, types, customers };
}

/** Number of bytes of a secret that is made here. */
const SECRET_BYTES = 32;

const newSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;

/** Creates the changes of destinations while Dockline runs. */
export function createDestinationControl({
  destinations,
  managed,
  tenants,
  config,
}: {
  readonly destinations: Destinations;
  readonly managed: ManagedDestinations;
  readonly tenants: readonly TenantSettings[];
  readonly config: Config;
}): DestinationControl {
  const configured = ({ tenant, name }: DestinationRef) =>
    findTenant(tenants, tenant)?.destinations.find((it) => it.name === name);

  async function save(ref: DestinationRef, sealed: SealedDestination, sealing: Sealing): Promise<void> {
    const { url, kinds, types, customers, mode, maxBytes } = settingsOf(ref, sealed);
    const { origin, pathname } = new URL(url);
    const shown = { address: origin + pathname.replace(/\/$/, ''), kinds, types, customers, mode, maxBytes };
    await destinations.put(ref, {
      settings: JSON.stringify(shown),
      sealed: sealing.seal(JSON.stringify(sealed), placeOf(ref)),
    });
  }

  function needSealing(): Sealing {
    if (managed.sealing) return managed.sealing;
    throw new Problem(
      409,
      'Destinations can only be added where DESTINATION_KEYS is set, since their secrets are stored.',
    );
  }

  return {
    async find(ref) {
      if (configured(ref)) return 'configured';
      return (await destinations.find(ref)) && 'added';
    },

    async put(ref, { secret, ...given }) {
      const sealing = needSealing();
      if (!findTenant(tenants, ref.tenant)) throw new Problem(400, `tenant: no warehouse ${ref.tenant} is configured`);
      if (configured(ref)) throw new Problem(409, `${ref.name} is configured; change it there.`);
      const parsed = managedDestination.safeParse({ ...given, name: ref.name, secret }, { error: wordIssue });
      if (parsed.error) throw new Problem(400, parsed.error.issues.map(describeIssue).join('; '));
      const before = await managed.read(ref);
      const made = parsed.data.secret === undefined && !before ? newSecret() : undefined;
      const secrets = parsed.data.secret ?? (made === undefined ? (before?.secrets ?? []) : [made]);
      await save(ref, { given, secrets, othersUntil: before?.othersUntil ?? null }, sealing);
      return made === undefined ? {} : { secret: made };
    },

    async rotate(ref, validForMs) {
      const sealing = needSealing();
      const before = await managed.read(ref);
      if (!before) throw new Problem(409, `${ref.name} is configured; change its secret there.`);
      const secret = newSecret();
      const secrets = [secret, ...before.secrets.slice(0, 1)];
      await save(ref, { ...before, secrets, othersUntil: Date.now() + validForMs }, sealing);
      return { secret };
    },

    async filterOf(ref) {
      const settings = configured(ref);
      if (settings) return settings;
      const found = await destinations.find(ref);
      return found && JSON.parse(found.settings);
    },

    countUnsent: destinations.countUnsent,
    remove: destinations.remove,
    pause: (ref, because) => destinations.pause(ref, because),
    resume: destinations.resume,

    async test(ref) {
      const startedAt = performance.now();
      const since = () => Math.round(performance.now() - startedAt);
      try {
        const settings = configured(ref) ?? (await managed.settingsOf(ref));
        if (!settings) throw new Error('there is no such destination');
        const client = openDestination(settings, config, undefined);
        const signal = AbortSignal.timeout(config.ANNOUNCE_TIMEOUT_MS);
        const { status } = await client.send(createTestAnnouncement(ref.tenant), signal).finally(client.close);
        return { isDelivered: true, detail: `answered ${status}`, ms: since() };
      } catch (error) {
        return { isDelivered: false, detail: messageOf(error), ms: since() };
      }
    },
  };
}

const describeIssue = ({
  path,
  message,
}: {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}): string => `${path.join('.')}: ${message}`;
