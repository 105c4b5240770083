import { getCurrentDetails, proxySinks, type WorkflowInterceptors } from '@temporalio/workflow';

const { witness } = proxySinks<{ witness: { see(details: string): void } }>();

/** Reports the current details after each activation, as the Temporal UI shows them. */
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
