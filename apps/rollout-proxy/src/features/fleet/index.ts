export { alone, type Fleet } from './fleet';
