import { getCurrentDetails, proxySinks, type WorkflowInterceptors } from '@temporalio/workflow';

const { witness } = proxySinks<{ witness: { see(details: string): void } }>();

/** Reports after each activation where the workflow stands, as the Temporal UI shows it. */
export const interceptors = (): WorkflowInterceptors => ({
  internals: [
    {
      concludeActivation(input, next) {
        witness.see(getCurrentDetails());
        return next(input);
      },
    },
  ],
});
