import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Logger } from '../base/logger.ts';
import type { Actor, AuditedAction, AuditTarget } from '../domain/audit.ts';
import type { Caller, Role } from './access.ts';
import { type AuditEnd, type AuditLog, actorOf, createAudited } from './audit.ts';
import { askedBy, type Call } from './call.ts';
import type { Sources } from './views/view.ts';

/** Parts of Dockline that every action may use. */
export interface CommonParts extends Pick<Sources, 'reads' | 'configured'> {
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

/** Change that a person makes, with parts of Dockline: a call of the API, a command, and for some a form of the board. */
export interface Action<Parts = never, Thing = never> extends Call {
  /** The board has a form for it, at the same path. */
  readonly hasForm: boolean;
  /** Button on the page of a thing; undefined where it would do nothing. */
  button?(thing: Thing, caller: Caller): Button | undefined;
  /** Sentences for people after it, by words. */
  readonly notices: Readonly<Record<string, string>>;
  /** Chooses the word by the answer. */
  noticeOf(answer: object): string;
  /** Does it to what the path names, with an entry in the audit log. @throws Problem */
  readonly run: (parts: Parts & CommonParts, request: FastifyRequest) => Promise<Done>;
}

interface ActionDefinition<
  Parts,
  Thing,
  Params extends z.ZodObject,
  Body extends z.ZodType,
  Target,
  Result extends object,
> extends Omit<Call, 'method' | 'role' | 'params' | 'body'>,
    Pick<Action<Parts, Thing>, 'button'> {
  /** Default: `act`. */
  readonly role?: Role;
  readonly params?: Params;
  readonly body?: Body;
  /** Finds what it is done to. @throws Problem if there is none, or nothing can be done to it */
  find(parts: Parts, params: z.output<Params>): Promise<Target>;
  /** Answers without doing anything, and without an entry, if the body asks for that. */
  preview?(parts: Parts, target: Target, body: z.output<Body>): Promise<Result> | undefined;
  run(parts: Parts, target: Target, given: { readonly body: z.output<Body>; readonly actor: Actor }): Promise<Result>;
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

/**
 * Returns the definer of actions that use these parts of Dockline, with buttons on the page of a thing: one definition for the API, the
 * board, OpenAPI, the command line and the audit log.
 */
export const actionsWith =
  <Parts, Thing = never>() =>
  <Params extends z.ZodObject, Body extends z.ZodType, Target, Result extends object>(
    action: ActionDefinition<Parts & CommonParts, Thing, Params, Body, Target, Result>,
  ): Action<Parts, Thing> => {
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
      async run(parts, request) {
        const actor = actorOf(request);
        const given = body?.parse(request.body ?? {}) as z.output<Body>;
        const target = await find(parts, params?.parse(askedBy(request).params) as z.output<Params>);
        const audited = createAudited(parts);
        const attempt = { action: audit.action, target: audit.target(target), actor };
        const result =
          (await preview?.(parts, target, given)) ??
          (await audited(attempt, () => run(parts, target, { body: given, actor }), audit.end));
        const done = answer?.(result) ?? { status: 200, answer: result };
        return { ...done, address: back && `${back(target, request.body)}?done=${noticeOf(done.answer)}` };
      },
    };
  };

/** Action with the parts that it uses. */
export type ReadyAction = Omit<Action, 'run'> & { run(request: FastifyRequest): Promise<Done> };

/** Gives an action the parts that it uses. */
export const withParts = <Parts>(action: Action<Parts>, parts: Parts & CommonParts): ReadyAction => ({
  ...action,
  run: (request) => action.run(parts, request),
});
