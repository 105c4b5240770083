import { assumed, dated, type Kind, listed } from '../kind.ts';

/** Paths and largest page are guessed from those of receipts. */
export const assembly = {
  plural: 'assemblies',
  words: ['assembly'],
  id: 'readOnly.assemblyId',
  isIdGuessed: true,
  segments: 'assembl(?:y|ies)',
  operations: {
    getAssembly: { path: '/inventory/assemblies/{id}', returns: 'assemblies' },
    getAssemblies: { path: '/inventory/assemblies', returns: 'lists of assemblies' },
  },
  retrieval: 'getAssembly',
  listing: { operation: 'getAssemblies', pageLimit: 500, ...listed },
  lastStages: ['completed'],
  events: [
    assumed('created', 'AssemblyCreate', 'Create', [], 'getAssembly'),
    assumed('canceled', 'AssemblyCancel', 'Cancel', [], 'getAssembly'),
    assumed('deleted', 'AssemblyDelete', 'Delete', ['assemblydeleted']),
    assumed('updated', 'AssemblyUpdate', 'Update', [], 'getAssembly'),
    assumed('completed', 'AssemblyConfirm', 'Confirm', [], 'getAssembly'),
  ],
  announced: {
    created: 'The warehouse is to assemble items into another.',
    updated: 'The assembly was changed.',
    completed: 'The assembly was marked as complete: it is done.',
    canceled: 'The assembly was canceled.',
    deleted: "The assembly was removed from the warehouse's database.",
    ...dated,
  },
} as const satisfies Kind;
