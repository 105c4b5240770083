import { cutting, isCut, list, part, section, text } from '../section.ts';
import { movementLine, movementState, parties } from '../transaction.ts';

const advice = section('assembly', {
  assemblyNumber: text('referenceNum', "The customer's own number of the assembly."),
  ...parties,
  product: part(movementLine),
  components: list('components', movementLine),
  isCut: isCut(),
});

export const assemblyAdvice = { ...cutting(advice), state: movementState };
