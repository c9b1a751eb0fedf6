export { ShortId } from '@weir/ui-kit';
