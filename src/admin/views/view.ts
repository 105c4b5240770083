import type { Readable } from 'node:stream';
import { z } from 'zod';
import type { Incident } from '../../domain/health/incident.ts';
import type { ConfiguredDestination } from '../../domain/routing.ts';
import { found } from '../../http/problem.ts';
import type { PermittedReads } from '../../store/limited-reads.ts';
import type { Caller, Role } from '../access.ts';
import type { Page } from '../board/layout.ts';
import type { Notice } from '../board/notice.ts';
import { doneQuery, timelineOrder } from '../board/queries.ts';
import { type LivePage, livePage } from '../board/responder.ts';
import type { SharedValues } from '../board/shared-values.ts';
import type { Asked, Call } from '../call.ts';
import type { Guide } from '../guide.ts';
import type { Csv } from './csv.ts';

/** Form of a time in a row: a Date here, ISO 8601 in JSON. */
export const instant = z.codec(z.iso.datetime(), z.date(), {
  decode: (text) => new Date(text),
  encode: (date) => date.toISOString(),
});

/** Returns a stored time as a row has it. */
export const dateOrNull = (time: number | null): Date | null => (time === null ? null : new Date(time));

/** Form of a number of things. */
export const count = z.int().nonnegative();

/** Form of a list within a row. */
export const listOf = <T extends z.ZodType>(item: T) => z.array(item).readonly();

/** Everything that views read. */
export interface Sources {
  /** Connection for queries that may take long. */
  readonly reads: PermittedReads;
  /** Destinations of the configuration. */
  readonly configured: readonly ConfiguredDestination[];
  /** Finds what is wrong. */
  readonly incidents: () => Promise<readonly Incident[]>;
  /** They are limited to some customers. */
  readonly isOfCustomers?: boolean;
}

/** Settings of a warehouse account that are no secret. */
interface ShownTenant {
  readonly id: string | undefined;
  readonly endpoint: string;
  readonly verification: string;
  readonly warehouse: string;
  readonly callsPerSecond: number;
  readonly destinations: readonly { readonly name: string; readonly url: string }[];
}

/** Everything that the pages of one board read. */
export interface BoardSources extends Sources, Pick<SharedValues, 'share'> {
  /** Address of the namespace in the Temporal UI, if it is known. */
  readonly temporalUrl: string | undefined;
  readonly tenants: readonly ShownTenant[];
  readonly hasStageLimits: boolean;
  /** Present in a demonstration. */
  readonly guide: Guide | undefined;
  readonly now: () => number;
}

/** File that a browser keeps. */
export interface BoardFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

interface BoardPage {
  /** Path below `/board`, with its parameters in braces. */
  readonly path: string;
  readonly role: Role;
  /** Prepares it for one board; returns a function that makes it, or finds the address where it is. */
  open(
    sources: BoardSources,
  ): (asked: Asked, caller: Caller) => Promise<Page | LivePage | BoardFile | Csv | { readonly address: string }>;
}

/** Thing or list that people look at: a call of the API, and pages of the board that show the same. */
export interface View {
  readonly call?: Call & {
    answer(sources: Sources, asked: Asked, caller: Caller): Promise<object>;
    /** Answers with comma-separated values instead. */
    csv?(sources: Sources, asked: Asked): Promise<Readable>;
  };
  readonly pages: readonly BoardPage[];
}

/** Single thing, as its page shows it. */
export interface Shown<Row> {
  readonly row: Row;
  readonly caller: Caller;
  /** Notice of the action after which the page is shown. */
  readonly done: Notice | undefined;
  /** Entries of a timeline that come first. */
  readonly sort: z.output<typeof timelineOrder>;
  readonly temporalUrl: string | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Definition of a view of a single thing. */
interface ViewDefinition<Params extends z.ZodObject, Row extends object> {
  /** Call of the API, with the form of its answer and the names that it has in OpenAPI. */
  readonly call?: Pick<Call, 'path' | 'id' | 'summary' | 'tag' | 'description' | 'role'> & {
    readonly row: z.ZodType<Row>;
    readonly name: string;
    readonly parts?: Readonly<Record<string, z.ZodType>>;
  };
  /** Page of the board, with its path below `/board`. */
  readonly page?: {
    readonly path: string;
    html(shown: Shown<Row>): Page;
    /** Returns what can be downloaded of it with the role `bodies`. */
    file?(row: Row): BoardFile;
  };
  readonly params: Params;
  /** Sentence for a path that names nothing; absent if each names something. */
  readonly missing?: string;
  /** Reads what the caller may see of it. */
  read(sources: Sources, params: z.output<Params>, caller: Caller): Promise<Row | undefined>;
}

/** Defines the view of a single thing: one definition for the API, the board and OpenAPI. */
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
        const { done, sort } = doneQuery.extend({ sort: timelineOrder }).parse(asked.query);
        return livePage(html, {
          row: await read(sources, asked, caller),
          caller,
          done,
          sort,
          temporalUrl: sources.temporalUrl,
        });
      },
    };
    if (!file) return [shown];
    return [
      shown,
      {
        path: `${path}/body`,
        role: 'bodies',
        open: (sources) => async (asked, caller) => file(await read(sources, asked, caller)),
      },
    ];
  }
}
