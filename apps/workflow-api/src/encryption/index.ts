export { loadMasterKeys, type MasterKeySource } from './load-master-keys';
export { createLocalKey } from './master-key';
export { resealRows, type SealedRow, type SealedRows } from './reseal-rows';
export { createSealer, type Sealed, type Sealer } from './sealer';
