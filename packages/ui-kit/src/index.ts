export { Button, IconButton, iconLinkClass, type ButtonProps, type IconButtonProps } from './button/button';
export { ToggleButton, type ToggleButtonProps } from './button/toggle-button';
export { copyText } from './copy-text';
export { Checkbox, type CheckboxProps } from './checkbox/checkbox';
export { Switch, type SwitchProps } from './checkbox/switch';
export { classNames } from './class-names';
export {
  CardForm,
  FormDialog,
  FormPage,
  type CardFormProps,
  type FormDialogProps,
  type FormPageProps,
} from './form-card/form-card';
export { Frame, frameLink, type FrameProps } from './frame/frame';
export { LiveDot, type LiveDotProps } from './frame/live-dot';
export { TopBar, topBarClasses, type TopBarProps } from './frame/top-bar';
export { Mark } from './mark/mark';
export { CopyButton, type CopyButtonProps } from './copy-button/copy-button';
export { ShortId } from './short-id/short-id';
export {
  TokenStrip,
  TokenSwatch,
  tokenShades,
  type TokenMarks,
  type TokenStripProps,
  type TokenSwatchProps,
} from './token-strip/token-strip';
export { ConfirmDialog, Dialog, type ConfirmDialogProps, type DialogProps } from './dialog/dialog';
export { Facts, type Fact } from './facts/facts';
export { CheckField, type CheckFieldProps } from './field/check-field';
export { RadioField, type RadioFieldProps, type RadioOption } from './field/radio-field';
export { SearchField, type SearchFieldProps } from './field/search-field';
export { SelectField, type SelectFieldProps, type SelectOption } from './field/select-field';
export { TextAreaField, type TextAreaFieldProps } from './field/text-area-field';
export { TextField, type TextFieldProps } from './field/text-field';
export { LogView, type LogViewProps } from './log/log-view';
export { formatLineRange, parseLineRange, type LineRange } from './log/line-range';
export { defaultLogOptions, type LogOptions } from './log/log-options';
export type {
  FoundLine,
  LogFindings,
  LogFollower,
  LogLine,
  LogPart,
  LogPlace,
  LogQuery,
  LogSource,
  SearchOptions,
  Span,
} from './log/log-source';
export type { LogTexts } from './log/log-texts';
export { Meter, type MeterProps } from './meter/meter';
export { Menu, type MenuEntry, type MenuProps } from './menu/menu';
export { Panel, type PanelProps } from './panel/panel';
export { SplitPane, type SplitPaneProps } from './panes/split-pane';
export { Segments, type Segment, type SegmentsProps } from './segments/segments';
export {
  EmptyState,
  ErrorState,
  NoPermission,
  Skeleton,
  StaleBar,
  type EmptyStateProps,
  type ErrorStateProps,
  type NoPermissionProps,
  type SkeletonProps,
  type StaleBarProps,
} from './states/states';
export { statusKinds, statusTones, type StatusKind, type StatusTone } from './status/status-kind';
export { StatusName, StatusShape, type StatusNameProps, type StatusShapeProps } from './status/status-shape';
export { Table, type TableColumn, type TableProps, type TableSelection } from './table/table';
export { Tabs, type TabEntry, type TabsProps } from './tabs/tabs';
export { Toasts, useToast, type Toast, type ToastsProps } from './toast/toasts';
export { Tooltip, type TooltipProps } from './tooltip/tooltip';
