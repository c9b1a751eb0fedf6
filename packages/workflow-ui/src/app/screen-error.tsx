export { ScreenError } from '@weir/ui-app';
