export { loadMasterKeys, type MasterKeySource } from './load-master-keys';
export { createLocalKey } from './master-key';
export { createSealer, type Sealed, type Sealer } from './sealer';
