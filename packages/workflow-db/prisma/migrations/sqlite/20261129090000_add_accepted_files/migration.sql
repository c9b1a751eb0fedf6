-- CreateTable
CREATE TABLE "AcceptedFile" (
    "dagName" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "place" TEXT NOT NULL,
    "path" TEXT NOT NULL,
    "mark" TEXT NOT NULL,
    "dagRunId" TEXT NOT NULL,
    "acceptedAt" DATETIME NOT NULL,
    "seenAt" DATETIME NOT NULL,

    PRIMARY KEY ("dagName", "key")
);

-- CreateIndex
CREATE INDEX "accepted_file_place_idx" ON "AcceptedFile"("dagName", "place");

-- CreateIndex
CREATE INDEX "accepted_file_seen_idx" ON "AcceptedFile"("dagName", "seenAt");
