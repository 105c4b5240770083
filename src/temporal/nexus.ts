import { TemporalOperationHandler } from '@temporalio/nexus';
import { HandlerError, operation, type ServiceHandler, service, serviceHandler } from 'nexus-rpc';
import { z } from 'zod';
import type { AwaitedMilestones, awaitMilestone, MilestoneReached } from '../../workflows/await-milestone.ts';
import { announced } from '../domain/catalogue/announced.ts';
import { type SubjectRef, subjectKey, subjectKinds } from '../domain/catalogue/subject.ts';
import { mainKind } from '../domain/kinds/kinds.ts';
import type { Standing } from '../domain/lifecycle/standing.ts';

const name = z.string().regex(/^[^:\p{Cc}]{1,100}$/u, 'must have 1 to 100 characters, no colon among them');

const subject = z.object({ tenant: name, kind: z.enum(subjectKinds).default(mainKind), id: name });

const awaited = subject
  .extend({ milestones: z.array(z.string()).min(1, 'must name at least one') })
  .superRefine(({ kind, milestones }, { addIssue }) => {
    const known = Object.keys(announced[kind]);
    for (const unknown of milestones.filter((it) => !known.includes(it)))
      addIssue({ code: 'custom', path: ['milestones'], message: `${unknown} is none of ${known.join(', ')}` });
  });

/** Experimental, as Nexus is in the SDK. */
export const warehouse = service('warehouse', {
  getOrder: operation<z.input<typeof subject>, Standing>(),
  awaitMilestone: operation<z.input<typeof awaited>, MilestoneReached>(),
});

export const createNexusService = (readStanding: (subject: SubjectRef) => Promise<Standing | null>): ServiceHandler =>
  serviceHandler(warehouse, {
    async getOrder(_, input) {
      const ref = parse(subject, input);
      const standing = await readStanding(ref);
      if (standing) return standing;
      throw new HandlerError('NOT_FOUND', `${subjectKey(ref)} is not known`);
    },
    awaitMilestone: new TemporalOperationHandler({
      async start({ requestId }, client, input) {
        const { milestones, ...ref } = parse(awaited, input);
        const args: [AwaitedMilestones] = [{ subject: ref, milestones }];
        const workflowId = `await/${subjectKey(ref)}/${requestId}`;
        return await client.startWorkflow<typeof awaitMilestone>('awaitMilestone', { workflowId, args });
      },
    }),
  });

function parse<Form extends z.ZodType>(form: Form, input: unknown): z.output<Form> {
  const { data, error } = form.safeParse(input);
  if (!error) return data as z.output<Form>;
  const problems = error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new HandlerError('BAD_REQUEST', problems.join('; '));
}
