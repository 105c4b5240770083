import type { Readable } from 'node:stream';
import { z } from 'zod';
import type { Properties } from '../../domain/catalogue/properties.ts';
import type { Incident } from '../../domain/health/incident.ts';
import { holdsTenant, isWhole } from '../../domain/permission.ts';
import { found } from '../../http/problem.ts';
import { limitReads, type PermittedReads, type Readings } from '../../store/limited-reads.ts';
import { type Caller, identityOf, type Role } from '../access.ts';
import type { Guide, Page } from '../board/layout.ts';
import { type LivePage, livePage } from '../board/responder.ts';
import type { Asked, Call } from '../call.ts';
import type { Csv } from './csv.ts';

/** A Date here, ISO 8601 in JSON. */
export const instant = z.codec(z.iso.datetime(), z.date(), {
  decode: (text) => new Date(text),
  encode: (date) => date.toISOString(),
});

export const dateOrNull = (time: number | null): Date | null => (time === null ? null : new Date(time));

export const count = z.int().nonnegative();

export const listOf = <T extends z.ZodType>(item: T) => z.array(item).readonly();

/** `reads` may take long. */
export interface Sources extends Pick<Readings, 'reads' | 'once'> {
  readonly incidents: () => Promise<readonly Incident[]>;
  readonly placesOf: (tenant: string) => Properties;
  readonly isOfCustomers?: boolean;
}

interface ShownTenant {
  readonly id: string;
  readonly endpoint: string;
  readonly verification: string;
  readonly warehouse: string;
  readonly callsPerSecond: number;
}

export interface BoardSources extends Sources {
  readonly temporalUrl: string | undefined;
  readonly tenants: readonly ShownTenant[];
  readonly hasStageLimits: boolean;
  readonly guide: Guide | undefined;
  readonly now: () => number;
}

export interface BoardFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

interface BoardPage {
  readonly path: string;
  readonly role: Role;
  /** Prepares it for one board. The function makes the page, or returns the address to go to. */
  open(
    sources: BoardSources,
  ): (asked: Asked, caller: Caller) => Promise<Page | LivePage | BoardFile | Csv | { readonly address: string }>;
}

export interface View {
  readonly call?: Call & {
    answer(sources: Sources, asked: Asked, caller: Caller): Promise<object>;
    csv?(sources: Sources, asked: Asked): Promise<Readable>;
  };
  readonly pages: readonly BoardPage[];
}

export interface Shown<Row> {
  readonly row: Row;
  readonly caller: Caller;
  readonly temporalUrl: string | undefined;
  readonly now: number;
}

interface ViewDefinition<Params extends z.ZodObject, Row extends object> {
  /** `name` and the keys of `parts` are names in OpenAPI. */
  readonly call?: Pick<Call, 'path' | 'id' | 'summary' | 'tag' | 'description' | 'role'> & {
    readonly row: z.ZodType<Row>;
    readonly name: string;
    readonly parts?: Readonly<Record<string, z.ZodType>>;
  };
  readonly page?: {
    readonly path: string;
    html(shown: Shown<Row>): Page;
    file?(row: Row): BoardFile;
  };
  readonly params: Params;
  readonly missing?: string;
  read(sources: Sources, params: z.output<Params>, caller: Caller): Promise<Row | undefined>;
}

/** One definition for the API, the board and OpenAPI. */
export function defineView<Params extends z.ZodObject, Row extends object>(view: ViewDefinition<Params, Row>): View {
  const { call, page, params, missing } = view;
  const read = async (sources: Sources, asked: Asked, caller: Caller): Promise<Row> =>
    found(await view.read(sources, params.parse(asked.params), caller), missing);
  return { ...(call && { call: describe(call) }), pages: page ? pagesOf(page) : [] };

  function describe({ row, name, parts, ...named }: NonNullable<typeof call>): NonNullable<View['call']> {
    return {
      ...named,
      method: 'GET',
      params,
      answers: { 200: name },
      schemas: { ...parts, [name]: row },
      ...(missing !== undefined && { problems: [404] }),
      answer: read,
    };
  }

  function pagesOf({ path, html, file }: NonNullable<typeof page>): BoardPage[] {
    const shown: BoardPage = {
      path,
      role: 'read',
      open: (sources) => async (asked, caller) => {
        const row = await read(sources, asked, caller);
        return livePage(html, { row, caller, temporalUrl: sources.temporalUrl });
      },
    };
    if (!file) return [shown];
    const open: BoardPage['open'] = (sources) => async (asked, caller) => file(await read(sources, asked, caller));
    return [shown, { path: `${path}/body`, role: 'bodies', open }];
  }
}

/** `reads` sees nothing else. */
export interface LimitedHealth {
  readonly health: {
    within(reads: PermittedReads): Pick<Readings, 'once' | 'expire'> & { open(): Promise<readonly Incident[]> };
  };
}

type Limitable = Sources & Partial<Pick<BoardSources, 'tenants' | 'temporalUrl'>> & LimitedHealth;

export function createSourcesOf<All extends Limitable>(sources: All): (caller: Caller) => All {
  const limited = new Map<string, All>();
  return (caller) => {
    if (caller.limits === undefined) return sources;
    const known = limited.get(caller.name) ?? limitSources(sources, caller, caller.limits);
    limited.set(caller.name, known);
    return known;
  };
}

function limitSources<All extends Limitable>(sources: All, caller: Caller, limits: NonNullable<Caller['limits']>): All {
  const reads = limitReads(sources.reads, { token: identityOf(caller), limits });
  const { open: incidents, once, expire } = sources.health.within(reads);
  return {
    ...sources,
    reads,
    incidents,
    once,
    expire,
    isOfCustomers: !limits.every(isWhole),
    ...(sources.tenants && {
      tenants: sources.tenants.filter(({ id }) => holdsTenant(limits, id)),
      temporalUrl: undefined,
    }),
  };
}
