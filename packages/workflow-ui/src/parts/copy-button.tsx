export { CopyButton, type CopyButtonProps } from '@weir/ui-kit';
