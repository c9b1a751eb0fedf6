import { Check, Copy } from 'lucide-react';
import { useEffect, useState, type ReactElement } from 'react';
import { IconButton } from '../button/button';
import { Tooltip } from '../tooltip/tooltip';

interface CopyButtonProps {
  readonly text: string;
  /** Names the copied text. */
  readonly label: string;
}

const shownMs = 1500;

/** Copies a text, and shows the success for a moment. */
export function CopyButton({ text, label }: CopyButtonProps): ReactElement {
  const [isCopied, setIsCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setIsCopied(false), shownMs);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const Icon = isCopied ? Check : Copy;
  const copy = (): void => void navigator.clipboard.writeText(text).then(() => setIsCopied(true));
  return (
    <Tooltip text={label}>
      <IconButton icon={<Icon aria-hidden size={14} />} label={label} onPress={copy} />
    </Tooltip>
  );
}
