import { randomBytes, randomUUID } from 'node:crypto';
import type { AuditLog } from '../admin/audit.ts';
import { formatIssue } from '../base/issue.ts';
import type { Logger } from '../base/logger.ts';
import { startPersistently } from '../base/loop.ts';
import type { Sealing } from '../base/sealing.ts';
import { plural } from '../base/text.ts';
import { messageOf } from '../domain/errors.ts';
import { findTenant } from '../domain/permission.ts';
import type { DestinationRef, Identity } from '../domain/routing.ts';
import { Problem } from '../http/problem.ts';
import type { Connections } from '../store/engines/connections.ts';
import { createTestAnnouncement } from './announcements/cloud-event.ts';
import type { DestinationContext } from './kinds/kind.ts';
import { kindOf, openDestination, USUAL_KIND } from './kinds/kinds.ts';
import {
  type GivenDestination,
  type ManagedDestinations,
  placeOf,
  type SealedDestination,
  settingsOf,
} from './managed-destinations.ts';
import { destinationName, managedDestination, type TenantDestinations, visible } from './settings.ts';
import { type Destinations, type KnownDestination, knownDestinations } from './tables/destinations.ts';
import { findConfiguredUnwanted } from './tables/withdrawals.ts';
import { announcements, auditTarget } from './views/destination-row.ts';

const SECRET_BYTES = 32;

const create = {
  secret: () => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`,
  recordsToken: () => randomBytes(SECRET_BYTES).toString('base64url'),
} as const;

/** Shown once. The token fetches records that were left out of announcements. */
type NewSecrets = { readonly [Sort in keyof typeof create]?: string };

interface ControlDeps {
  readonly destinations: Destinations;
  readonly reads: Connections['reads'];
  readonly managed: ManagedDestinations;
  readonly tenants: readonly TenantDestinations[];
  readonly operatorTokens: readonly string[];
  readonly context: DestinationContext;
}

function parse(ref: DestinationRef, given: GivenDestination) {
  const parsed = managedDestination.safeParse({ ...given, name: ref.name }, { error: formatIssue });
  if (parsed.error)
    throw new Problem(400, parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; '));
  return parsed.data;
}

export class DestinationControl {
  readonly #deps: ControlDeps;

  constructor(deps: ControlDeps) {
    this.#deps = deps;
  }

  async #save(ref: DestinationRef, before: Identity | undefined, sealed: SealedDestination, sealing: Sealing) {
    const id = before ?? randomUUID();
    const saved = {
      id,
      settings: JSON.stringify(visible(settingsOf(ref, sealed))),
      sealed: sealing.seal(JSON.stringify(sealed), placeOf({ tenant: ref.tenant, id })),
    };
    if (before === undefined) {
      if (!(await this.#deps.destinations.add(ref, saved))) throw isTaken(ref.name);
    } else if (!(await this.#deps.destinations.change(ref.tenant, saved)))
      throw new Problem(409, `The destination ${ref.name} was removed meanwhile.`);
  }

  /** Such tokens would let a receiver do what operators can. */
  #refuseOperators(tokens: readonly string[] = []): void {
    if (this.#deps.operatorTokens.some((token) => tokens.includes(token)))
      throw new Problem(400, 'recordsToken: is a token of the administrative API, which no receiver may have');
  }

  /** Such tokens would show another destination's records. */
  async #refuseShared(ref: DestinationRef, tokens: readonly string[] = []): Promise<void> {
    if (tokens.length === 0) return;
    const all = await knownDestinations(this.#deps.reads);
    const others = all.filter(({ tenant, name }) => tenant !== ref.tenant || name !== ref.name);
    if (others.some((it) => this.#deps.managed.recordsAccessIn(it)?.tokens.some((token) => tokens.includes(token))))
      throw new Problem(400, 'recordsToken: is that of another destination, whose records it would show');
  }

  #needSealing(): Sealing {
    if (this.#deps.managed.sealing) return this.#deps.managed.sealing;
    throw new Problem(
      409,
      'Destinations can only be added where DESTINATION_KEYS is set, since their secrets are stored.',
    );
  }

  /** Returns new secrets. @throws Problem 409 without keys, 400 for settings that do not fit */
  async put(
    ref: DestinationRef,
    settingsAndSecrets: GivenDestination,
    known: KnownDestination | undefined,
  ): Promise<NewSecrets> {
    const sealing = this.#needSealing();
    if (!findTenant(this.#deps.tenants, ref.tenant))
      throw new Problem(400, `tenant: no warehouse ${ref.tenant} is configured`);
    const { kind, detail, omit = [], recordsToken: tokens, ...settings } = parse(ref, settingsAndSecrets);
    const { secret: _secret, recordsToken: _recordsToken, ...given } = settingsAndSecrets;
    this.#refuseOperators(tokens);
    await this.#refuseShared(ref, tokens);
    const before = known && this.#deps.managed.open(known);
    const made: Partial<Record<keyof typeof create, string>> = {};
    const make = (sort: keyof typeof create) => {
      const value = create[sort]();
      made[sort] = value;
      return [value];
    };
    const fetching =
      omit.length > 0
        ? undefined
        : (tokens ?? before?.recordsToken ?? (detail === 'full' ? undefined : make('recordsToken')));
    const own = 'secret' in settings ? settings.secret : undefined;
    const beforeSecret = 'secret' in kindOf(kind).forms ? before?.secret : undefined;
    const signing = own ?? beforeSecret ?? (kind === USUAL_KIND ? make('secret') : undefined);
    const secrets = { ...(signing && { secret: signing }), ...(fetching && { recordsToken: fetching }) };
    await this.#save(ref, known?.id, { given, ...secrets }, sealing);
    return made;
  }

  /** Returns the number of withdrawn announcements. @throws Problem 409 with that number unless it is agreed to */
  async change(
    ref: KnownDestination,
    given: GivenDestination,
    { unsent }: { readonly unsent: boolean },
  ): Promise<NewSecrets & { readonly withdrawn: number }> {
    const filter = parse(ref, given);
    const unwanted = await this.#deps.destinations.countUnwanted(ref, filter);
    if (unwanted > 0 && !unsent)
      throw new Problem(409, `Waiting and no longer wanted: ${announcements(unwanted)}; take them out with "unsent".`);
    const secrets = await this.put(ref, given, ref);
    return { ...secrets, withdrawn: await this.#deps.destinations.withdrawUnwanted(ref, filter) };
  }

  async rename({ tenant, name, id }: KnownDestination, to: string): Promise<void> {
    const { error } = destinationName.safeParse(to, { error: formatIssue });
    if (error) throw new Problem(400, error.issues.map(({ message }) => `to: ${message}`).join('; '));
    if (to === name || !(await this.#deps.destinations.rename({ tenant, id }, to))) throw isTaken(to);
  }

  async test(known: KnownDestination) {
    const startedAt = performance.now();
    const since = () => Math.round(performance.now() - startedAt);
    try {
      const settings = this.#deps.managed.settingsIn(known);
      if (!settings) throw new Error('there is no such destination');
      const client = openDestination(settings, this.#deps.context);
      const signal = AbortSignal.timeout(this.#deps.context.timeoutMs);
      const { status } = await client.send(createTestAnnouncement(known.tenant), signal).finally(client.close);
      return { isDelivered: true, detail: `answered ${status}`, ms: since() };
    } catch (error) {
      return { isDelivered: false, detail: messageOf(error), ms: since() };
    }
  }
}

const isTaken = (name: string) => new Problem(409, `There is a destination ${name} already.`);

interface WithdrawalDeps {
  readonly destinations: Pick<Destinations, 'withdrawUnwanted'>;
  readonly reads: Connections['reads'];
  readonly audit: AuditLog;
  readonly tenants: readonly TenantDestinations[];
  readonly logger: Pick<Logger, 'warn'>;
}

/** Withdraws announcements that destinations, by changed settings, no longer want. The log has the number before, the audit log afterwards. */
export async function withdrawUnwanted({ destinations, reads, audit, tenants, logger }: WithdrawalDeps): Promise<void> {
  for await (const { filter, count, id: identity, tenant, name } of findConfiguredUnwanted(reads, tenants)) {
    logger.warn(
      { tenant, name, count },
      'takes out announcements that wait for a destination whose settings no longer want them',
    );
    const target = auditTarget({ tenant, name });
    const actor = { token: 'configuration', operator: null };
    const id = await audit.begin({ action: 'change', target, actor });
    const withdrawn = await destinations.withdrawUnwanted({ tenant, id: identity }, filter);
    const detail = `took out what waited and is no longer wanted: ${plural(withdrawn, 'announcement')}`;
    await audit.finish(id, { outcome: 'done', detail });
  }
}

/** Once the store answers: until the next start only the administrative API changes what is wanted. */
export const withdrawAtStart = (deps: WithdrawalDeps) =>
  startPersistently(
    async () => {
      await withdrawUnwanted(deps);
      return { close: async () => undefined };
    },
    (err) => deps.logger.warn({ err }, 'cannot check what waits for destinations; retrying'),
  );
