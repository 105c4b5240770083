import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Actor, AuditedAction, AuditTarget } from '../domain/audit.ts';
import { type Caller, callerOf, type Role } from './access.ts';
import { type AuditEnd, type AuditedDeps, actorOf, audited } from './audit.ts';
import { askedBy, type Call } from './call.ts';
import type { Sources } from './views/view.ts';

export type CommonParts = Pick<Sources, 'reads'> & AuditedDeps;

interface Done {
  readonly status: number;
  readonly answer: object;
  readonly address: string | undefined;
}

interface Asking<Body> {
  readonly body: Body;
  readonly actor: Actor;
  readonly caller: Caller;
}

interface Button {
  readonly label: string;
  readonly hint: string;
}

export interface Action<Parts = never, Thing = never> extends Call {
  readonly hasForm: boolean;
  /** Others see who did it, so its form asks once for a name. */
  readonly asksWho?: true;
  button?(thing: Thing, caller: Caller): Button | undefined;
  readonly notices: Readonly<Record<string, string>>;
  noticeOf(answer: object): string;
  readonly run: (parts: Parts & CommonParts, request: FastifyRequest) => Promise<Done>;
}

interface ActionDefinition<
  Parts,
  Thing,
  Params extends z.ZodObject,
  Body extends z.ZodType,
  Target,
  Result extends object,
> extends Omit<Call, 'method' | 'role' | 'params' | 'body' | 'answers' | 'schemas'>,
    Pick<Action<Parts, Thing>, 'button' | 'asksWho'> {
  /** Default: `act`. */
  readonly role?: Role;
  readonly params?: Params;
  readonly body?: Body;
  readonly answers: Readonly<Record<number, Readonly<Record<string, z.ZodType>>>>;
  find(parts: Parts, params: z.output<Params>): Promise<Target>;
  /** If the body asks for that: no change, no entry. */
  preview?(parts: Parts, target: Target, body: z.output<Body>): Promise<Result> | undefined;
  run(parts: Parts, target: Target, asking: Asking<z.output<Body>>): Promise<Result>;
  /** Absent for what writes its entry itself. `end` is needed only if it was not simply done. */
  readonly audit?: {
    readonly action: AuditedAction;
    target(target: NoInfer<Target>): AuditTarget;
    end?(result: Result): AuditEnd;
  };
  answer?(result: Result): Pick<Done, 'status' | 'answer'>;
  /** After its form, which may name the page that it is on. Without it the board has no form. */
  back?(target: NoInfer<Target>, form: unknown): string;
  /** Instead of `back`. */
  page?(result: Result): string;
  readForm?(fields: Readonly<Record<string, string>>): unknown;
  readonly notices?: Readonly<Record<string, string>>;
  noticeOf?(answer: Readonly<Record<string, unknown>>): string;
}

/** One definition for the API, the board, OpenAPI, the command line and the audit log. */
export const actionsWith =
  <Parts, Thing = never>() =>
  <Params extends z.ZodObject, Body extends z.ZodType, Target, Result extends object>(
    action: ActionDefinition<Parts & CommonParts, Thing, Params, Body, Target, Result>,
  ): Action<Parts, Thing> => {
    const { role = 'act', answers, find, preview, run, audit, answer, back, page, readForm, ...rest } = action;
    const { params, body, notices = {}, ...call } = rest;
    const noticeOf = (answered: object): string =>
      action.noticeOf?.(answered as Readonly<Record<string, unknown>>) ?? Object.keys(notices)[0] ?? '';
    const [status = '200'] = Object.keys(answers);
    return {
      ...call,
      method: 'POST',
      answers: Object.fromEntries(Object.entries(answers).map(([status, form]) => [status, Object.keys(form).join()])),
      schemas: Object.assign({}, ...Object.values(answers)),
      role,
      ...(params && { params }),
      ...(body && { body }),
      notices,
      noticeOf,
      hasForm: back !== undefined || page !== undefined,
      async run(parts, request) {
        const actor = actorOf(request);
        const given = readForm && isForm(request) ? readForm(request.body as Record<string, string>) : request.body;
        const asking = { body: body?.parse(given ?? {}) as z.output<Body>, actor, caller: callerOf(request) };
        const target = await find(parts, params?.parse(askedBy(request).params) as z.output<Params>);
        const attempt = audit && { action: audit.action, target: audit.target(target), actor };
        const act = () => run(parts, target, asking);
        const result =
          (await preview?.(parts, target, asking.body)) ??
          (attempt ? await audited(parts, attempt, act, audit.end) : await act());
        const done = answer?.(result) ?? { status: Number(status), answer: result };
        const notice = back && `${back(target, request.body)}?done=${noticeOf(done.answer)}`;
        return { ...done, address: page?.(result) ?? notice };
      },
    };
  };

export type ReadyAction = Omit<Action, 'run'> & { run(request: FastifyRequest): Promise<Done> };

export const withParts = <Parts>(
  action: Action<Parts>,
  partsOf: (caller: Caller) => Parts & CommonParts,
): ReadyAction => ({
  ...action,
  run: (request) => action.run(partsOf(callerOf(request)), request),
});

const isForm = ({ headers }: FastifyRequest): boolean =>
  headers['content-type']?.startsWith('application/x-www-form-urlencoded') ?? false;
