import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { AlertControl } from '../alerts/alert-control.ts';
import type { Logger } from '../base/logger.ts';
import type { DestinationControl } from '../destinations/destination-control.ts';
import type { DeadLetters } from '../destinations/tables/dead-letters.ts';
import type { Hurries } from '../destinations/tables/hurries.ts';
import type { Actor, AuditedAction, AuditTarget } from '../domain/audit.ts';
import type { EventName } from '../domain/unknown-name.ts';
import type { EventNames } from '../inbox/tables/event-names.ts';
import type { QuarantinedFilter } from '../inbox/tables/quarantined.ts';
import type { Erasures } from '../subjects/tables/erasures.ts';
import type { Notes } from '../subjects/tables/notes.ts';
import type { Taking } from '../subjects/tables/taking.ts';
import type { ShownSubject } from '../subjects/views/subject/read.ts';
import type { SubjectControl } from '../temporal/subject-control.ts';
import type { Caller, Role } from './access.ts';
import { type AuditEnd, type AuditLog, actorOf, createAudited } from './audit.ts';
import { askedBy, type Call } from './call.ts';
import type { Sources } from './views/view.ts';

/** Copy of the store. */
export interface Backup {
  /** Path on the machine of Dockline. */
  readonly file: string;
  readonly bytes: number;
}

export interface ActionDeps extends Pick<Sources, 'reads' | 'configured'> {
  readonly deadLetters: Pick<DeadLetters, 'requeue'>;
  readonly hurries: Hurries;
  readonly control: Pick<SubjectControl, 'refresh' | 'release' | 'undoRelease'>;
  readonly erasures: Erasures;
  readonly notes: Notes;
  readonly taking: Taking;
  readonly destinations: DestinationControl;
  readonly alerts: AlertControl;
  readonly eventNames: Pick<EventNames, 'put' | 'remove' | 'meanings'> & {
    /** Returns the meaning that a name has by the configuration or the catalogue. */
    readonly known: (name: EventName) => string | undefined;
  };
  /** Reads quarantined events again and ingests those that are now understood; returns their number. */
  readonly replay: (filter: QuarantinedFilter) => Promise<number>;
  /** Copies the store to a new file; undefined where the database has programs of its own for that. */
  readonly backUp: (() => Promise<Backup>) | undefined;
  readonly audit: AuditLog;
  readonly logger: Logger;
  /** Reports whether an error is Temporal's. */
  readonly isOutage: (error: unknown) => boolean;
}

/** Result of an action: its answer, and the page of the board that shows what came of it. */
interface Done {
  readonly status: number;
  readonly answer: object;
  readonly address: string | undefined;
}

/** Button of an action, with what it does. */
interface Button {
  readonly label: string;
  readonly hint: string;
}

/** Change that a person makes: a call of the API, and for some a form of the board and a command. */
export interface Action extends Call {
  /** The board has a form for it, at the same path. */
  readonly hasForm: boolean;
  /** Button on the page of a subject; undefined where it would do nothing. */
  button?(subject: ShownSubject, caller: Caller): Button | undefined;
  /** Sentences for people after it, by words. */
  readonly notices: Readonly<Record<string, string>>;
  /** Chooses the word by the answer. */
  noticeOf(answer: object): string;
  /** Does it to what the path names, with an entry in the audit log. @throws Problem */
  run(deps: ActionDeps, request: FastifyRequest): Promise<Done>;
}

interface ActionDefinition<Params extends z.ZodObject, Body extends z.ZodType, Target, Result extends object>
  extends Omit<Call, 'method' | 'role' | 'params' | 'body'>,
    Pick<Action, 'button'> {
  /** Default: `act`. */
  readonly role?: Role;
  readonly params?: Params;
  readonly body?: Body;
  /** Finds what it is done to. @throws Problem if there is none, or nothing can be done to it */
  find(deps: ActionDeps, params: z.output<Params>): Promise<Target>;
  /** Answers without doing anything, and without an entry, if the body asks for that. */
  preview?(deps: ActionDeps, target: Target, body: z.output<Body>): Promise<Result> | undefined;
  run(
    deps: ActionDeps,
    target: Target,
    given: { readonly body: z.output<Body>; readonly actor: Actor },
  ): Promise<Result>;
  /** Entry in the audit log: what is done to what, and how it ended, unless it was simply done. */
  readonly audit: {
    readonly action: AuditedAction;
    target(target: Target): AuditTarget;
    end?(result: Result): AuditEnd;
  };
  /** Makes the answer. Default: 200 with the result. */
  answer?(result: Result): Pick<Done, 'status' | 'answer'>;
  /** Page of the board after its form, which may name the page that it is on. Without one, the board has no form for it. */
  back?(target: Target, form: unknown): string;
  /** Sentences for people once it is done, by the words that addresses of the board have for them. */
  readonly notices?: Readonly<Record<string, string>>;
  /** Chooses one of several sentences by the answer. */
  noticeOf?(answer: Readonly<Record<string, unknown>>): string;
}

/** Defines an action: one definition for the API, the board, OpenAPI, the command line and the audit log. */
export function defineAction<Params extends z.ZodObject, Body extends z.ZodType, Target, Result extends object>(
  action: ActionDefinition<Params, Body, Target, Result>,
): Action {
  const { role = 'act', find, preview, run, audit, answer, back, params, body, notices = {}, ...call } = action;
  const noticeOf = (answered: object): string =>
    action.noticeOf?.(answered as Readonly<Record<string, unknown>>) ?? Object.keys(notices)[0] ?? '';
  return {
    ...call,
    method: 'POST',
    role,
    ...(params && { params }),
    ...(body && { body }),
    notices,
    noticeOf,
    hasForm: back !== undefined,
    async run(deps, request) {
      const actor = actorOf(request);
      const given = body?.parse(request.body ?? {}) as z.output<Body>;
      const target = await find(deps, params?.parse(askedBy(request).params) as z.output<Params>);
      const audited = createAudited(deps);
      const attempt = { action: audit.action, target: audit.target(target), actor };
      const result =
        (await preview?.(deps, target, given)) ??
        (await audited(attempt, () => run(deps, target, { body: given, actor }), audit.end));
      const done = answer?.(result) ?? { status: 200, answer: result };
      return { ...done, address: back && `${back(target, request.body)}?done=${noticeOf(done.answer)}` };
    },
  };
}
