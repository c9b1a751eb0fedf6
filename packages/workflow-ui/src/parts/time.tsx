export { Time } from '@weir/ui-app';
