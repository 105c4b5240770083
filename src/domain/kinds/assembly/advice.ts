import { cutting, isCut } from '../cut-lists.ts';
import { movementLine, movementState } from '../movement.ts';
import { list, part, section, text } from '../section.ts';
import { parties } from '../transaction.ts';

const advice = section('assembly', {
  assemblyNumber: text('referenceNum', "The customer's own number of the assembly."),
  ...parties,
  product: part(movementLine),
  components: list('components', movementLine),
  isCut: isCut(),
});

export const assemblyAdvice = { ...cutting(advice), state: movementState };
