import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useToast } from '@weir/ui-kit';
import { QueryPanel, unwrap, type Failure } from '@weir/ui-kit/app';
import { useMemo, type ReactElement } from 'react';
import { api } from '../../../api/client';
import { useMay } from '../../../api/permissions';
import { useEditorMessages } from '../../../editor/editor-messages';
import { baseDocument, dagDocument } from '../../../editor/server-documents';
import { SpecEditor } from '../../../editor/spec-editor';
import { useStoredText } from '../../../editor/use-stored-text';
import { useRefusal } from '../../../parts/use-refusal';

export interface SpecTabProps {
  readonly fileName: string;
  readonly workspace: string | undefined;
  /** The line at which the editor opens. */
  readonly line: number | undefined;
}

/** The file of a DAG in the editor. */
export function SpecTab({ fileName, workspace, line }: SpecTabProps): ReactElement {
  const document = useMemo(() => dagDocument(fileName), [fileName]);
  const stored = useStoredText(document);
  const base = useInheritedText();
  const refusal = useRefusal('updateDAGSpec', workspace);
  const startRefusal = useRefusal('executeDAGRunFromSpec', workspace);
  const start = useStart(fileName);
  return (
    <QueryPanel query={stored}>
      {(text) => (
        <SpecEditor
          key={fileName}
          {...{ document, stored: text, base, refusal, line }}
          kind="dag"
          name={fileName}
          start={{ onStart: start, refusal: startRefusal }}
        />
      )}
    </QueryPanel>
  );
}

/** Returns the base configuration, where the role permits reading it; otherwise findings do without it. */
function useInheritedText(): string | undefined {
  const may = useMay('getBaseConfig');
  const query = useQuery<string, Failure>({
    queryKey: ['inherited-text'],
    queryFn: async ({ signal }) => (await baseDocument().load(signal)).text,
    enabled: may === true,
  });
  return query.data;
}

/** Starts a run of a text that need not be stored. */
function useStart(name: string): (spec: string) => void {
  const t = useEditorMessages();
  const showToast = useToast();
  const navigate = useNavigate();
  const start = async (spec: string): Promise<void> => {
    try {
      const run = await unwrap(api.POST('/dag-runs', { body: { spec, name } }));
      const show = (): void =>
        void navigate({ to: '/dag-runs/$name/$runId', params: { name: run.name, runId: run.dagRunId } });
      showToast({ message: t('editor.started'), action: { label: t('editor.showRun'), onPress: show } });
    } catch (error) {
      showToast({ tone: 'failed', message: error instanceof Error ? error.message : String(error) });
    }
  };
  return (spec) => void start(spec);
}
