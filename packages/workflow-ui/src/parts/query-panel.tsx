export { QueryPanel, type QueryPanelProps } from '@weir/ui-app';
