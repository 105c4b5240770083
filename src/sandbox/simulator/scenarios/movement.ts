import type { Step } from './step.ts';

/** The lives of a receipt. */
export const receiptLives = {
  straight: ['ReceiptCreate', 'ReceiptUpdate?', 'ReceiptComplete?', 'ReceiptConfirm'],
  reopened: [
    'ReceiptCreate',
    'ReceiptComplete?',
    'ReceiptConfirm',
    'ReceiptUnconfirm',
    'ReceiptUpdate?',
    'ReceiptConfirm',
  ],
  canceled: ['ReceiptCreate', 'ReceiptUpdate?', 'ReceiptCancel'],
  deleted: ['ReceiptCreate', 'ReceiptUpdate?', 'ReceiptDelete'],
} as const satisfies Record<string, readonly Step[]>;

/** The lives of an adjustment. */
export const adjustmentLives = {
  straight: ['AdjustmentCreate', 'AdjustmentUpdate?', 'AdjustmentConfirm'],
  canceled: ['AdjustmentCreate', 'AdjustmentUpdate?', 'AdjustmentCancel'],
  deleted: ['AdjustmentCreate', 'AdjustmentUpdate?', 'AdjustmentDelete'],
} as const satisfies Record<string, readonly Step[]>;

/** The lives of an assembly. */
export const assemblyLives = {
  straight: ['AssemblyCreate', 'AssemblyUpdate?', 'AssemblyConfirm'],
  canceled: ['AssemblyCreate', 'AssemblyUpdate?', 'AssemblyCancel'],
  deleted: ['AssemblyCreate', 'AssemblyUpdate?', 'AssemblyDelete'],
} as const satisfies Record<string, readonly Step[]>;
