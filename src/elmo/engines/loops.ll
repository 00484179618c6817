; Written by dev/translate_loops.py with Numba 0.68.1. Do not edit.
; sha256 of loop_parts.py: b54504b4c98ae04d66e95f7bb376c396164fe4f812daf639e58e5f83907ea29f
; sha256 of loops.py: ae4f03dfab0d881fab9d76c5cb2232320a072c7704cb5194886e2be832248985
; sha256 of training_loops.py: eaaf17e2fb38591746f0384c625900e0b064f233fa6b8b7113f7fd1c3e4f1689

; loop: read_layer_float32
; ModuleID = '<string>'
source_filename = "<string>"

; Function Attrs: nofree norecurse nosync nounwind memory(argmem: readwrite, inaccessiblemem: readwrite)
define internal fastcc void @multiply.4(ptr noalias nonnull writeonly %retptr, ptr noalias readonly %arg.x, i64 %arg.rows, i64 %arg.size, ptr noalias readonly %arg.weight, i64 %arg.width, ptr noalias %arg.out, i64 %arg.apart, i64 %arg.columns) unnamed_addr #0 {
entry:
  %.30 = add i64 %arg.width, -1
  %.31 = add i64 %.30, %arg.columns
  %.35 = icmp eq i64 %arg.columns, 0
  br i1 %.35, label %B0.endif, label %B0.else, !prof !0

B52.loopexit:                                     ; preds = %B669, %B54.if
  %.155 = icmp sgt i64 %.99.0124, 1
  br i1 %.155, label %B54.if, label %B668

B282:                                             ; preds = %B142.if
  tail call void @llvm.experimental.noalias.scope.decl(metadata !1)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !4)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !6)
  br i1 %.105156.i.not, label %B828.else.if.i, label %B44.if.i

B44.loopexit.i:                                   ; preds = %B294.if.i, %B44.if.i
  %.105.i = icmp sgt i64 %.50.0158.i, 1
  br i1 %.105.i, label %B44.if.i, label %B828.else.if.i

B872.loopexit.i:                                  ; preds = %B960.if.i, %B872.if.i
  %.589.i = icmp sgt i64 %.536.0164.i, 1
  br i1 %.589.i, label %B872.if.i, label %B669

B44.if.i:                                         ; preds = %B282, %B44.loopexit.i
  %.50.0158.i = phi i64 [ %.114.i, %B44.loopexit.i ], [ %.84.i, %B282 ]
  %.47.0157.i = phi i64 [ %.118.i, %B44.loopexit.i ], [ 0, %B282 ]
  %.114.i = add nsw i64 %.50.0158.i, -1
  %.118.i = add nuw i64 %.47.0157.i, 8
  %.144.i = getelementptr float, ptr %.355, i64 %.47.0157.i
  %.145.i = load float, ptr %.144.i, align 4, !alias.scope !1, !noalias !8
  %.148.i = getelementptr i8, ptr %.144.i, i64 4
  %.149.i = load float, ptr %.148.i, align 4, !alias.scope !1, !noalias !8
  %.152.i = getelementptr i8, ptr %.144.i, i64 8
  %.153.i = load float, ptr %.152.i, align 4, !alias.scope !1, !noalias !8
  %.156.i = getelementptr i8, ptr %.144.i, i64 12
  %.157.i = load float, ptr %.156.i, align 4, !alias.scope !1, !noalias !8
  %.160.i = getelementptr i8, ptr %.144.i, i64 16
  %.161.i = load float, ptr %.160.i, align 4, !alias.scope !1, !noalias !8
  %.164.i = getelementptr i8, ptr %.144.i, i64 20
  %.165.i = load float, ptr %.164.i, align 4, !alias.scope !1, !noalias !8
  %.168.i = getelementptr i8, ptr %.144.i, i64 24
  %.169.i = load float, ptr %.168.i, align 4, !alias.scope !1, !noalias !8
  %.172.i = getelementptr i8, ptr %.144.i, i64 28
  %.173.i = load float, ptr %.172.i, align 4, !alias.scope !1, !noalias !8
  %.247.i = mul nsw i64 %.47.0157.i, %arg.width
  %.249.i = getelementptr float, ptr %.364, i64 %.247.i
  br i1 %.333153.not.i, label %B44.loopexit.i, label %B294.if.i

B294.if.i:                                        ; preds = %B44.if.i, %B294.if.i
  %.280.0155.i = phi i64 [ %.342.i, %B294.if.i ], [ %storemerge152.i, %B44.if.i ]
  %.277.0154.i = phi i64 [ %.346.i, %B294.if.i ], [ 0, %B44.if.i ]
  %.342.i = add nsw i64 %.280.0155.i, -1
  %.346.i = add nuw nsw i64 %.277.0154.i, 1
  %.372.i = getelementptr float, ptr %.249.i, i64 %.277.0154.i
  %.373.i = load float, ptr %.372.i, align 4, !alias.scope !4, !noalias !10
  %.377.i = getelementptr float, ptr %.372.i, i64 %arg.width
  %.378.i = load float, ptr %.377.i, align 4, !alias.scope !4, !noalias !10
  %.383.i = getelementptr i8, ptr %.372.i, i64 %.383.idx.i
  %.384.i = load float, ptr %.383.i, align 4, !alias.scope !4, !noalias !10
  %.389.i = getelementptr i8, ptr %.372.i, i64 %.389.idx.i
  %.390.i = load float, ptr %.389.i, align 4, !alias.scope !4, !noalias !10
  %.395.i = getelementptr i8, ptr %.372.i, i64 %.395.idx.i
  %.396.i = load float, ptr %.395.i, align 4, !alias.scope !4, !noalias !10
  %.401.i = getelementptr i8, ptr %.372.i, i64 %.401.idx.i
  %.402.i = load float, ptr %.401.i, align 4, !alias.scope !4, !noalias !10
  %.407.i = getelementptr i8, ptr %.372.i, i64 %.407.idx.i
  %.408.i = load float, ptr %.407.i, align 4, !alias.scope !4, !noalias !10
  %.413.i = getelementptr i8, ptr %.372.i, i64 %.413.idx.i
  %.414.i = load float, ptr %.413.i, align 4, !alias.scope !4, !noalias !10
  %.416.i = getelementptr float, ptr %gep, i64 %.277.0154.i
  %.417.i = load float, ptr %.416.i, align 4, !alias.scope !6, !noalias !11
  %.422.i = tail call contract float @llvm.fmuladd.f32(float %.145.i, float %.373.i, float %.417.i)
  %.423.i = tail call contract float @llvm.fmuladd.f32(float %.149.i, float %.378.i, float %.422.i)
  %.424.i = tail call contract float @llvm.fmuladd.f32(float %.153.i, float %.384.i, float %.423.i)
  %.425.i = tail call contract float @llvm.fmuladd.f32(float %.157.i, float %.390.i, float %.424.i)
  %.430.i = tail call contract float @llvm.fmuladd.f32(float %.161.i, float %.396.i, float %.425.i)
  %.431.i = tail call contract float @llvm.fmuladd.f32(float %.165.i, float %.402.i, float %.430.i)
  %.432.i = tail call contract float @llvm.fmuladd.f32(float %.169.i, float %.408.i, float %.431.i)
  %.433.i = tail call contract float @llvm.fmuladd.f32(float %.173.i, float %.414.i, float %.432.i)
  store float %.433.i, ptr %.416.i, align 4, !alias.scope !6, !noalias !11
  %.333.i = icmp sgt i64 %.280.0155.i, 1
  br i1 %.333.i, label %B294.if.i, label %B44.loopexit.i

B828.else.if.i:                                   ; preds = %B44.loopexit.i, %B282
  br i1 %.589162.not.i, label %B669, label %B872.if.i

B872.if.i:                                        ; preds = %B828.else.if.i, %B872.loopexit.i
  %.536.0164.i = phi i64 [ %.598.i, %B872.loopexit.i ], [ %.546.i, %B828.else.if.i ]
  %.533.0163.i = phi i64 [ %.602.i, %B872.loopexit.i ], [ %.506.i, %B828.else.if.i ]
  %.598.i = add nsw i64 %.536.0164.i, -1
  %.602.i = add nuw nsw i64 %.533.0163.i, 1
  %.628.i = getelementptr float, ptr %.355, i64 %.533.0163.i
  %.629.i = load float, ptr %.628.i, align 4, !alias.scope !1, !noalias !8
  %.631.i = mul nsw i64 %.533.0163.i, %arg.width
  %.633.i = getelementptr float, ptr %.364, i64 %.631.i
  br i1 %.720159.not.i, label %B872.loopexit.i, label %B960.if.i

B960.if.i:                                        ; preds = %B872.if.i, %B960.if.i
  %.667.0161.i = phi i64 [ %.729.i, %B960.if.i ], [ %storemerge151.i, %B872.if.i ]
  %.664.0160.i = phi i64 [ %.733.i, %B960.if.i ], [ 0, %B872.if.i ]
  %.729.i = add nsw i64 %.667.0161.i, -1
  %.733.i = add nuw nsw i64 %.664.0160.i, 1
  %.759.i = getelementptr float, ptr %gep, i64 %.664.0160.i
  %.760.i = load float, ptr %.759.i, align 4, !alias.scope !6, !noalias !11
  %.762.i = getelementptr float, ptr %.633.i, i64 %.664.0160.i
  %.763.i = load float, ptr %.762.i, align 4, !alias.scope !4, !noalias !10
  %.765.i = tail call contract float @llvm.fmuladd.f32(float %.629.i, float %.763.i, float %.760.i)
  store float %.765.i, ptr %.759.i, align 4, !alias.scope !6, !noalias !11
  %.720.i = icmp sgt i64 %.667.0161.i, 1
  br i1 %.720.i, label %B960.if.i, label %B872.loopexit.i

B324:                                             ; preds = %B142.if
  %.424 = getelementptr float, ptr %.355, i64 %arg.size
  %.426 = add nsw i64 %.375, -1
  %.13.i = tail call i64 @llvm.smin.i64(i64 %.426, i64 2)
  %.13.i107 = tail call i64 @llvm.smin.i64(i64 %.426, i64 3)
  %.456 = mul nsw i64 %.13.i, %arg.size
  %.458 = getelementptr float, ptr %.355, i64 %.456
  %.492 = mul nsw i64 %.13.i107, %arg.size
  %.494 = getelementptr float, ptr %.355, i64 %.492
  %.497 = getelementptr float, ptr %gep, i64 %arg.apart
  %.501 = getelementptr i8, ptr %gep, i64 %.501.idx
  %.505 = getelementptr i8, ptr %gep, i64 %.505.idx
  tail call void @llvm.experimental.noalias.scope.decl(metadata !12)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !15)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !17)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !19)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !21)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !23)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !25)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !27)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !29)
  br i1 %.123152.i.not, label %B934.else.if.i, label %B44.if.i112

B44.loopexit.i117:                                ; preds = %B470.if.i, %B44.if.i112
  %.123.i = icmp sgt i64 %.68.0154.i, 1
  br i1 %.123.i, label %B44.if.i112, label %B934.else.if.i

B978.loopexit.i:                                  ; preds = %B1120.if.i, %B978.if.i
  %.734.i = icmp sgt i64 %.681.0160.i, 1
  br i1 %.734.i, label %B978.if.i, label %B669

B44.if.i112:                                      ; preds = %B324, %B44.loopexit.i117
  %.68.0154.i = phi i64 [ %.132.i, %B44.loopexit.i117 ], [ %.102.i, %B324 ]
  %.65.0153.i = phi i64 [ %.136.i, %B44.loopexit.i117 ], [ 0, %B324 ]
  %.132.i = add nsw i64 %.68.0154.i, -1
  %.136.i = add nuw i64 %.65.0153.i, 4
  %.162.i = getelementptr float, ptr %.355, i64 %.65.0153.i
  %.163.i = load float, ptr %.162.i, align 4, !alias.scope !12, !noalias !31
  %.164.i113 = or disjoint i64 %.65.0153.i, 1
  %.166.i = getelementptr float, ptr %.355, i64 %.164.i113
  %.167.i = load float, ptr %.166.i, align 4, !alias.scope !12, !noalias !31
  %.168.i114 = or disjoint i64 %.65.0153.i, 2
  %.170.i = getelementptr float, ptr %.355, i64 %.168.i114
  %.171.i = load float, ptr %.170.i, align 4, !alias.scope !12, !noalias !31
  %.172.i115 = or disjoint i64 %.65.0153.i, 3
  %.174.i = getelementptr float, ptr %.355, i64 %.172.i115
  %.175.i = load float, ptr %.174.i, align 4, !alias.scope !12, !noalias !31
  %.213.i = getelementptr float, ptr %.424, i64 %.65.0153.i
  %.214.i = load float, ptr %.213.i, align 4, !alias.scope !15, !noalias !33
  %.217.i = getelementptr float, ptr %.424, i64 %.164.i113
  %.218.i = load float, ptr %.217.i, align 4, !alias.scope !15, !noalias !33
  %.221.i = getelementptr float, ptr %.424, i64 %.168.i114
  %.222.i = load float, ptr %.221.i, align 4, !alias.scope !15, !noalias !33
  %.225.i = getelementptr float, ptr %.424, i64 %.172.i115
  %.226.i = load float, ptr %.225.i, align 4, !alias.scope !15, !noalias !33
  %.264.i = getelementptr float, ptr %.458, i64 %.65.0153.i
  %.265.i = load float, ptr %.264.i, align 4, !alias.scope !17, !noalias !34
  %.268.i = getelementptr float, ptr %.458, i64 %.164.i113
  %.269.i = load float, ptr %.268.i, align 4, !alias.scope !17, !noalias !34
  %.272.i = getelementptr float, ptr %.458, i64 %.168.i114
  %.273.i = load float, ptr %.272.i, align 4, !alias.scope !17, !noalias !34
  %.276.i = getelementptr float, ptr %.458, i64 %.172.i115
  %.277.i = load float, ptr %.276.i, align 4, !alias.scope !17, !noalias !34
  %.315.i = getelementptr float, ptr %.494, i64 %.65.0153.i
  %.316.i = load float, ptr %.315.i, align 4, !alias.scope !19, !noalias !35
  %.319.i = getelementptr float, ptr %.494, i64 %.164.i113
  %.320.i = load float, ptr %.319.i, align 4, !alias.scope !19, !noalias !35
  %.323.i = getelementptr float, ptr %.494, i64 %.168.i114
  %.324.i = load float, ptr %.323.i, align 4, !alias.scope !19, !noalias !35
  %.327.i = getelementptr float, ptr %.494, i64 %.172.i115
  %.328.i = load float, ptr %.327.i, align 4, !alias.scope !19, !noalias !35
  %.366.i = mul nsw i64 %.65.0153.i, %arg.width
  %.368.i = getelementptr float, ptr %.364, i64 %.366.i
  br i1 %.452149.not.i, label %B44.loopexit.i117, label %B470.if.i

B470.if.i:                                        ; preds = %B44.if.i112, %B470.if.i
  %.399.0151.i = phi i64 [ %.461.i, %B470.if.i ], [ %storemerge148.i, %B44.if.i112 ]
  %.396.0150.i = phi i64 [ %.465.i, %B470.if.i ], [ 0, %B44.if.i112 ]
  %.461.i = add nsw i64 %.399.0151.i, -1
  %.465.i = add nuw nsw i64 %.396.0150.i, 1
  %.491.i = getelementptr float, ptr %.368.i, i64 %.396.0150.i
  %.492.i = load float, ptr %.491.i, align 4, !alias.scope !21, !noalias !36
  %.496.i = getelementptr float, ptr %.491.i, i64 %arg.width
  %.497.i = load float, ptr %.496.i, align 4, !alias.scope !21, !noalias !36
  %.502.i = getelementptr i8, ptr %.491.i, i64 %.502.idx.i
  %.503.i = load float, ptr %.502.i, align 4, !alias.scope !21, !noalias !36
  %.508.i = getelementptr i8, ptr %.491.i, i64 %.508.idx.i
  %.509.i = load float, ptr %.508.i, align 4, !alias.scope !21, !noalias !36
  %.511.i = getelementptr float, ptr %gep, i64 %.396.0150.i
  %.512.i = load float, ptr %.511.i, align 4, !alias.scope !23, !noalias !37
  %.517.i = tail call contract float @llvm.fmuladd.f32(float %.163.i, float %.492.i, float %.512.i)
  %.518.i = tail call contract float @llvm.fmuladd.f32(float %.167.i, float %.497.i, float %.517.i)
  %.519.i = tail call contract float @llvm.fmuladd.f32(float %.171.i, float %.503.i, float %.518.i)
  %.520.i = tail call contract float @llvm.fmuladd.f32(float %.175.i, float %.509.i, float %.519.i)
  store float %.520.i, ptr %.511.i, align 4, !alias.scope !23, !noalias !37
  %.525.i = getelementptr float, ptr %.497, i64 %.396.0150.i
  %.526.i = load float, ptr %.525.i, align 4, !alias.scope !25, !noalias !38
  %.531.i = tail call contract float @llvm.fmuladd.f32(float %.214.i, float %.492.i, float %.526.i)
  %.532.i = tail call contract float @llvm.fmuladd.f32(float %.218.i, float %.497.i, float %.531.i)
  %.533.i = tail call contract float @llvm.fmuladd.f32(float %.222.i, float %.503.i, float %.532.i)
  %.534.i = tail call contract float @llvm.fmuladd.f32(float %.226.i, float %.509.i, float %.533.i)
  store float %.534.i, ptr %.525.i, align 4, !alias.scope !25, !noalias !38
  %.539.i = getelementptr float, ptr %.501, i64 %.396.0150.i
  %.540.i = load float, ptr %.539.i, align 4, !alias.scope !27, !noalias !39
  %.545.i = tail call contract float @llvm.fmuladd.f32(float %.265.i, float %.492.i, float %.540.i)
  %.546.i116 = tail call contract float @llvm.fmuladd.f32(float %.269.i, float %.497.i, float %.545.i)
  %.547.i = tail call contract float @llvm.fmuladd.f32(float %.273.i, float %.503.i, float %.546.i116)
  %.548.i = tail call contract float @llvm.fmuladd.f32(float %.277.i, float %.509.i, float %.547.i)
  store float %.548.i, ptr %.539.i, align 4, !alias.scope !27, !noalias !39
  %.553.i = getelementptr float, ptr %.505, i64 %.396.0150.i
  %.554.i = load float, ptr %.553.i, align 4, !alias.scope !29, !noalias !40
  %.559.i = tail call contract float @llvm.fmuladd.f32(float %.316.i, float %.492.i, float %.554.i)
  %.560.i = tail call contract float @llvm.fmuladd.f32(float %.320.i, float %.497.i, float %.559.i)
  %.561.i = tail call contract float @llvm.fmuladd.f32(float %.324.i, float %.503.i, float %.560.i)
  %.562.i = tail call contract float @llvm.fmuladd.f32(float %.328.i, float %.509.i, float %.561.i)
  store float %.562.i, ptr %.553.i, align 4, !alias.scope !29, !noalias !40
  %.452.i = icmp sgt i64 %.399.0151.i, 1
  br i1 %.452.i, label %B470.if.i, label %B44.loopexit.i117

B934.else.if.i:                                   ; preds = %B44.loopexit.i117, %B324
  br i1 %.734158.not.i, label %B669, label %B978.if.i

B978.if.i:                                        ; preds = %B934.else.if.i, %B978.loopexit.i
  %.681.0160.i = phi i64 [ %.743.i, %B978.loopexit.i ], [ %.691.i, %B934.else.if.i ]
  %.678.0159.i = phi i64 [ %.747.i, %B978.loopexit.i ], [ %.651.i, %B934.else.if.i ]
  %.743.i = add nsw i64 %.681.0160.i, -1
  %.747.i = add nuw nsw i64 %.678.0159.i, 1
  %.773.i = getelementptr float, ptr %.355, i64 %.678.0159.i
  %.774.i = load float, ptr %.773.i, align 4, !alias.scope !12, !noalias !31
  %.776.i = getelementptr float, ptr %.424, i64 %.678.0159.i
  %.777.i = load float, ptr %.776.i, align 4, !alias.scope !15, !noalias !33
  %.779.i = getelementptr float, ptr %.458, i64 %.678.0159.i
  %.780.i = load float, ptr %.779.i, align 4, !alias.scope !17, !noalias !34
  %.782.i = getelementptr float, ptr %.494, i64 %.678.0159.i
  %.783.i = load float, ptr %.782.i, align 4, !alias.scope !19, !noalias !35
  %.785.i = mul nsw i64 %.678.0159.i, %arg.width
  %.787.i = getelementptr float, ptr %.364, i64 %.785.i
  br i1 %.893155.not.i, label %B978.loopexit.i, label %B1120.if.i

B1120.if.i:                                       ; preds = %B978.if.i, %B1120.if.i
  %.840.0157.i = phi i64 [ %.902.i, %B1120.if.i ], [ %storemerge147.i, %B978.if.i ]
  %.837.0156.i = phi i64 [ %.906.i, %B1120.if.i ], [ 0, %B978.if.i ]
  %.902.i = add nsw i64 %.840.0157.i, -1
  %.906.i = add nuw nsw i64 %.837.0156.i, 1
  %.932.i = getelementptr float, ptr %.787.i, i64 %.837.0156.i
  %.933.i = load float, ptr %.932.i, align 4, !alias.scope !21, !noalias !36
  %.935.i = getelementptr float, ptr %gep, i64 %.837.0156.i
  %.936.i = load float, ptr %.935.i, align 4, !alias.scope !23, !noalias !37
  %.938.i = tail call contract float @llvm.fmuladd.f32(float %.774.i, float %.933.i, float %.936.i)
  store float %.938.i, ptr %.935.i, align 4, !alias.scope !23, !noalias !37
  %.943.i = getelementptr float, ptr %.497, i64 %.837.0156.i
  %.944.i = load float, ptr %.943.i, align 4, !alias.scope !25, !noalias !38
  %.946.i = tail call contract float @llvm.fmuladd.f32(float %.777.i, float %.933.i, float %.944.i)
  store float %.946.i, ptr %.943.i, align 4, !alias.scope !25, !noalias !38
  %.951.i = getelementptr float, ptr %.501, i64 %.837.0156.i
  %.952.i = load float, ptr %.951.i, align 4, !alias.scope !27, !noalias !39
  %.954.i = tail call contract float @llvm.fmuladd.f32(float %.780.i, float %.933.i, float %.952.i)
  store float %.954.i, ptr %.951.i, align 4, !alias.scope !27, !noalias !39
  %.959.i = getelementptr float, ptr %.505, i64 %.837.0156.i
  %.960.i = load float, ptr %.959.i, align 4, !alias.scope !29, !noalias !40
  %.962.i = tail call contract float @llvm.fmuladd.f32(float %.783.i, float %.933.i, float %.960.i)
  store float %.962.i, ptr %.959.i, align 4, !alias.scope !29, !noalias !40
  %.893.i = icmp sgt i64 %.840.0157.i, 1
  br i1 %.893.i, label %B1120.if.i, label %B978.loopexit.i

B668:                                             ; preds = %B52.loopexit, %B0.endif
  store ptr null, ptr %retptr, align 8
  ret void

B669:                                             ; preds = %B978.loopexit.i, %B872.loopexit.i, %B934.else.if.i, %B828.else.if.i
  %.314 = icmp sgt i64 %.260.0121, 1
  br i1 %.314, label %B142.if, label %B52.loopexit

B0.else:                                          ; preds = %entry
  %.46 = icmp ne i64 %.31, -9223372036854775808
  %.47 = icmp ne i64 %arg.columns, -1
  %.48.not = or i1 %.47, %.46
  br i1 %.48.not, label %B0.else.if, label %B0.endif, !prof !41

B0.endif:                                         ; preds = %B0.else.if, %B0.else, %entry
  %quot.0 = phi i64 [ 0, %entry ], [ %3, %B0.else.if ], [ 0, %B0.else ]
  %.155123.not = icmp eq i64 %quot.0, 0
  br i1 %.155123.not, label %B668, label %B54.if.lr.ph

B54.if.lr.ph:                                     ; preds = %B0.endif
  %0 = add nuw i64 %arg.rows, 3
  %.292 = lshr i64 %0, 2
  %.271.inv = icmp sgt i64 %arg.rows, 0
  %storemerge106 = select i1 %.271.inv, i64 %.292, i64 0
  %.314120.not = icmp eq i64 %storemerge106, 0
  %.501.idx = shl i64 %arg.apart, 3
  %.505.idx = mul i64 %arg.apart, 12
  %.79.i = icmp slt i64 %arg.size, 4
  %.41.i = add nsw i64 %arg.size, -3
  %1 = and i64 %.41.i, -9223372036854775805
  %.99.i = icmp sgt i64 %1, 0
  %.100161.i = lshr i64 %.41.i, 2
  %.101.i = zext i1 %.99.i to i64
  %.102.i = add nuw nsw i64 %.100161.i, %.101.i
  %.502.idx.i = shl i64 %arg.width, 3
  %.508.idx.i = mul i64 %arg.width, 12
  %.691.i = and i64 %arg.size, 3
  %.734158.not.i = icmp eq i64 %.691.i, 0
  %.651.i = and i64 %arg.size, -4
  %.61.i = icmp slt i64 %arg.size, 8
  %.23.i = add nsw i64 %arg.size, -7
  %2 = and i64 %.23.i, -9223372036854775801
  %.81.i = icmp sgt i64 %2, 0
  %.82165.i = lshr i64 %.23.i, 3
  %.83.i = zext i1 %.81.i to i64
  %.84.i = add nuw nsw i64 %.82165.i, %.83.i
  %.383.idx.i = shl i64 %arg.width, 3
  %.389.idx.i = mul i64 %arg.width, 12
  %.395.idx.i = shl i64 %arg.width, 4
  %.401.idx.i = mul i64 %arg.width, 20
  %.407.idx.i = mul i64 %arg.width, 24
  %.413.idx.i = mul i64 %arg.width, 28
  %.546.i = and i64 %arg.size, 7
  %.589162.not.i = icmp eq i64 %.546.i, 0
  %.506.i = and i64 %arg.size, -8
  %.123152.i.not129 = icmp eq i64 %.102.i, 0
  %.123152.i.not = select i1 %.79.i, i1 true, i1 %.123152.i.not129
  %.105156.i.not130 = icmp eq i64 %.84.i, 0
  %.105156.i.not = select i1 %.61.i, i1 true, i1 %.105156.i.not130
  br label %B54.if

B0.else.if:                                       ; preds = %B0.else
  %.51 = sdiv i64 %.31, %arg.columns
  %.52 = srem i64 %.31, %arg.columns
  %.53 = xor i64 %.52, %arg.columns
  %.54 = icmp slt i64 %.53, 0
  %.55 = icmp ne i64 %.52, 0
  %.56 = and i1 %.55, %.54
  %.61 = sext i1 %.56 to i64
  %spec.select = add i64 %.51, %.61
  %3 = tail call i64 @llvm.smax.i64(i64 %spec.select, i64 0)
  br label %B0.endif

B54.if:                                           ; preds = %B54.if.lr.ph, %B52.loopexit
  %.96.0125 = phi i64 [ 0, %B54.if.lr.ph ], [ %.168, %B52.loopexit ]
  %.99.0124 = phi i64 [ %quot.0, %B54.if.lr.ph ], [ %.164, %B52.loopexit ]
  %.164 = add nsw i64 %.99.0124, -1
  %.168 = add nuw nsw i64 %.96.0125, 1
  %4 = mul nsw i64 %.96.0125, %arg.columns
  %invariant.gep = getelementptr float, ptr %arg.out, i64 %4
  br i1 %.314120.not, label %B52.loopexit, label %B142.if.lr.ph

B142.if.lr.ph:                                    ; preds = %B54.if
  %.200 = sub nsw i64 %arg.width, %4
  %.13.i118 = tail call i64 @llvm.smin.i64(i64 %.200, i64 %arg.columns)
  %.364 = getelementptr float, ptr %arg.weight, i64 %4
  %storemerge148.i = tail call i64 @llvm.smax.i64(i64 %.13.i118, i64 0)
  %.452149.not.i = icmp slt i64 %.13.i118, 1
  %storemerge147.i = tail call i64 @llvm.smax.i64(i64 %.13.i118, i64 0)
  %.893155.not.i = icmp slt i64 %.13.i118, 1
  %storemerge152.i = tail call i64 @llvm.smax.i64(i64 %.13.i118, i64 0)
  %.333153.not.i = icmp slt i64 %.13.i118, 1
  %storemerge151.i = tail call i64 @llvm.smax.i64(i64 %.13.i118, i64 0)
  %.720159.not.i = icmp slt i64 %.13.i118, 1
  br label %B142.if

B142.if:                                          ; preds = %B142.if.lr.ph, %B669
  %.257.0122 = phi i64 [ 0, %B142.if.lr.ph ], [ %.327, %B669 ]
  %.260.0121 = phi i64 [ %storemerge106, %B142.if.lr.ph ], [ %.323, %B669 ]
  %.323 = add nsw i64 %.260.0121, -1
  %.327 = add nuw i64 %.257.0122, 4
  %.353 = mul nsw i64 %.257.0122, %arg.size
  %.355 = getelementptr float, ptr %arg.x, i64 %.353
  %.357 = mul nsw i64 %.257.0122, %arg.apart
  %gep = getelementptr float, ptr %invariant.gep, i64 %.357
  %.375 = sub nsw i64 %arg.rows, %.257.0122
  %.380 = icmp eq i64 %.375, 1
  br i1 %.380, label %B282, label %B324
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.fmuladd.f32(float, float, float) #1

; Function Attrs: nofree norecurse nosync nounwind memory(argmem: readwrite, inaccessiblemem: readwrite)
define void @read_layer_float32(ptr noalias readonly %0, ptr noalias readonly %1, i64 %2, ptr noalias readonly %3, ptr noalias readonly %4, ptr noalias readonly %5, ptr noalias readonly %6, ptr noalias readonly %7, ptr noalias readnone %8, ptr noalias readnone %9, ptr noalias readnone %10, ptr noalias readnone %11, ptr noalias %12, ptr noalias %13, ptr noalias writeonly %14, ptr noalias %15, i64 %16, i64 %17, ptr noalias %18, ptr noalias %19, ptr noalias %20, i64 %21, i64 %22, i64 %23, float %24, float %25, i64 %26) local_unnamed_addr #0 {
  %.41.i273.i = alloca ptr, align 8
  %.41.i.i = alloca ptr, align 8
  %.484.i = alloca ptr, align 8
  tail call void @llvm.experimental.noalias.scope.decl(metadata !42)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !45)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !47)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !49)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !51)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !53)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !55)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !57)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !59)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !61)
  store ptr null, ptr %.484.i, align 8, !noalias !63
  %.86.i = shl i64 %23, 2
  %.91.i = add nsw i64 %.86.i, 272
  %.184304.not.i = icmp slt i64 %2, 1
  br i1 %.184304.not.i, label %read_layer.1.exit, label %B100.if.lr.ph.i

B100.if.lr.ph.i:                                  ; preds = %27
  %.266.i = getelementptr i64, ptr %1, i64 %2
  %.9234.not.i.i = icmp slt i64 %.86.i, 1
  %28 = shl i64 %23, 4
  %.10760.not.i.i = icmp slt i64 %23, 1
  %.183.i.i = shl nuw nsw i64 %23, 1
  %.206.i281.i = mul nuw nsw i64 %23, 3
  %.630.i.i = fneg contract float %24
  %.152.i.i = fneg contract float %25
  %.987.not.i = icmp eq i64 %26, 0
  %.1031.i = add i64 %21, -1
  %storemerge272.i = tail call i64 @llvm.smax.i64(i64 %.1031.i, i64 0)
  %.1074301.not309.i = icmp slt i64 %.1031.i, 1
  %.9234.not.i286.i = icmp slt i64 %22, 1
  %29 = shl nuw i64 %22, 2
  br label %B100.if.i

B164.i:                                           ; preds = %B100.if.i
  %.263.i = add nsw i64 %.238.i, %16
  %.267.i = load i64, ptr %.266.i, align 8, !alias.scope !42, !noalias !69
  %.13.i.i = tail call i64 @llvm.smin.i64(i64 %.267.i, i64 %.263.i)
  %.305.i = sub nsw i64 %.13.i.i, %.238.i
  %.385292.not.i = icmp slt i64 %.305.i, 1
  br i1 %.385292.not.i, label %B328.i, label %B254.if.i

B328.i:                                           ; preds = %_copy.3.exit.i, %B164.i
  %.468.i = mul nsw i64 %.238.i, %22
  %.470.i = getelementptr float, ptr %0, i64 %.468.i
  store ptr null, ptr %.484.i, align 8, !noalias !63
  call fastcc void @multiply.4(ptr %.484.i, ptr readonly %.470.i, i64 %.305.i, i64 %22, ptr readonly %3, i64 %.86.i, ptr %15, i64 %.91.i, i64 %17)
  br label %B412.i

B412.i:                                           ; preds = %B100.if.i, %B328.i
  %first.2.1.i = phi i64 [ %first.3.0307.i, %B100.if.i ], [ %.238.i, %B328.i ]
  %last.3.1.i = phi i64 [ %last.2.0308.i, %B100.if.i ], [ %.13.i.i, %B328.i ]
  %storemerge270.i = tail call i64 @llvm.smax.i64(i64 %.248.i, i64 0)
  %.589295.not.i = icmp slt i64 %.248.i, 1
  br i1 %.589295.not.i, label %B820.i.critedge, label %B442.if.i

B514.i:                                           ; preds = %_clear.42.exit279.i
  %.663.i = icmp eq i64 %.248.i, 1
  %.86.arg.dim.i = select i1 %.663.i, i64 %.86.i, i64 %23
  store ptr null, ptr %.41.i.i, align 8, !noalias !70
  call fastcc void @multiply.4(ptr %.41.i.i, ptr readonly %12, i64 %.248.i, i64 %22, ptr readonly %5, i64 %.86.i, ptr %18, i64 %.91.i, i64 %.86.arg.dim.i)
  %.831.i = sub i64 %.238.i, %first.2.1.i
  br label %B612.if.i

B820.i.critedge:                                  ; preds = %B412.i
  store ptr null, ptr %.41.i.i, align 8, !noalias !70
  call fastcc void @multiply.4(ptr %.41.i.i, ptr readonly %12, i64 %.248.i, i64 %22, ptr readonly %5, i64 %.86.i, ptr %18, i64 %.91.i, i64 %23)
  br label %B820.i

B820.i:                                           ; preds = %_update_row.44.exit.i, %B820.i.critedge
  %.885.i = mul nsw i64 %.248.i, %22
  %.8934.not.i.i = icmp slt i64 %.885.i, 1
  br i1 %.8934.not.i.i, label %_finish_row.58.exit.i.critedge, label %B34.if.preheader.i.i

B34.if.preheader.i.i:                             ; preds = %B820.i
  %30 = shl nuw i64 %.885.i, 2
  tail call void @llvm.memset.p0.i64(ptr align 4 %20, i8 0, i64 %30, i1 false), !alias.scope !76, !noalias !79
  store ptr null, ptr %.41.i273.i, align 8, !noalias !81
  call fastcc void @multiply.4(ptr %.41.i273.i, ptr readonly %19, i64 %.248.i, i64 %23, ptr readonly %7, i64 %22, ptr %20, i64 %22, i64 %22)
  %.949.i = mul nsw i64 %.238.i, %22
  %.953.i = getelementptr float, ptr %14, i64 %.949.i
  tail call void @llvm.experimental.noalias.scope.decl(metadata !87)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !90)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !92)
  br label %B34.if.i.i

B34.if.i.i:                                       ; preds = %B34.if.preheader.i.i, %B34.if.i.i
  %.43.040.i.i = phi i64 [ %.107.i.i, %B34.if.i.i ], [ %.885.i, %B34.if.preheader.i.i ]
  %.40.039.i.i = phi i64 [ %.111.i.i, %B34.if.i.i ], [ 0, %B34.if.preheader.i.i ]
  %.107.i.i = add nsw i64 %.43.040.i.i, -1
  %.111.i.i = add nuw nsw i64 %.40.039.i.i, 1
  %.142.i.i = getelementptr float, ptr %20, i64 %.40.039.i.i
  %.143.i.i = load float, ptr %.142.i.i, align 4, !alias.scope !94, !noalias !95
  %.154.i.i = fcmp contract olt float %.143.i.i, %.152.i.i
  %.152..143.i.i = select i1 %.154.i.i, float %.152.i.i, float %.143.i.i
  %.178.i.i = fcmp contract ogt float %.152..143.i.i, %25
  %clipped_v59__vphi46_0.2.1.i.i = select i1 %.178.i.i, float %25, float %.152..143.i.i
  %.202.i.i = getelementptr float, ptr %12, i64 %.40.039.i.i
  store float %clipped_v59__vphi46_0.2.1.i.i, ptr %.202.i.i, align 4, !alias.scope !97, !noalias !98
  %.206.i.i = getelementptr float, ptr %.953.i, i64 %.40.039.i.i
  store float %clipped_v59__vphi46_0.2.1.i.i, ptr %.206.i.i, align 4, !alias.scope !99, !noalias !100
  %.98.i.i = icmp sgt i64 %.43.040.i.i, 1
  br i1 %.98.i.i, label %B34.if.i.i, label %_finish_row.58.exit.i

_finish_row.58.exit.i.critedge: ; preds = %B820.i
  store ptr null, ptr %.41.i273.i, align 8, !noalias !81
  call fastcc void @multiply.4(ptr %.41.i273.i, ptr readonly %19, i64 %.248.i, i64 %23, ptr readonly %7, i64 %22, ptr %20, i64 %22, i64 %22)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !87)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !90)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !92)
  br label %_finish_row.58.exit.i

_finish_row.58.exit.i: ; preds = %B34.if.i.i, %_finish_row.58.exit.i.critedge
  %.990.i = icmp ne i64 %.125.0306.i, 0
  %or.cond.not310.i = or i1 %.987.not.i, %.990.i
  %brmerge.i = select i1 %or.cond.not310.i, i1 true, i1 %.1074301.not309.i
  br i1 %brmerge.i, label %B1174.i, label %B1032.if.i

B1174.i:                                          ; preds = %_copy.3.exit291.i, %_finish_row.58.exit.i
  %.184.i = icmp sgt i64 %.128.0305.i, 1
  br i1 %.184.i, label %B100.if.i, label %read_layer.1.exit

B100.if.i:                                        ; preds = %B1174.i, %B100.if.lr.ph.i
  %last.2.0308.i = phi i64 [ 0, %B100.if.lr.ph.i ], [ %last.3.1.i, %B1174.i ]
  %first.3.0307.i = phi i64 [ 0, %B100.if.lr.ph.i ], [ %first.2.1.i, %B1174.i ]
  %.125.0306.i = phi i64 [ 0, %B100.if.lr.ph.i ], [ %.197.i, %B1174.i ]
  %.128.0305.i = phi i64 [ %2, %B100.if.lr.ph.i ], [ %.193.i, %B1174.i ]
  %.193.i = add nsw i64 %.128.0305.i, -1
  %.197.i = add nuw nsw i64 %.125.0306.i, 1
  %.237.i = getelementptr i64, ptr %1, i64 %.125.0306.i
  %.238.i = load i64, ptr %.237.i, align 8, !alias.scope !42, !noalias !69
  %.242.i = getelementptr i8, ptr %.237.i, i64 8
  %.243.i = load i64, ptr %.242.i, align 8, !alias.scope !42, !noalias !69
  %.248.i = sub nsw i64 %.243.i, %.238.i
  %.253.i = icmp sgt i64 %.243.i, %last.2.0308.i
  br i1 %.253.i, label %B164.i, label %B412.i

B254.if.i:                                        ; preds = %B164.i, %_copy.3.exit.i
  %.329.0294.i = phi i64 [ %.398.i, %_copy.3.exit.i ], [ 0, %B164.i ]
  %.332.0293.i = phi i64 [ %.394.i, %_copy.3.exit.i ], [ %.305.i, %B164.i ]
  %.394.i = add nsw i64 %.332.0293.i, -1
  %.398.i = add nuw nsw i64 %.329.0294.i, 1
  br i1 %.9234.not.i.i, label %_copy.3.exit.i, label %B34.if.preheader.i276.i

B34.if.preheader.i276.i:                          ; preds = %B254.if.i
  %31 = mul nuw nsw i64 %.329.0294.i, %.91.i
  %.427.i = getelementptr float, ptr %15, i64 %31
  tail call void @llvm.memcpy.p0.p0.i64(ptr align 4 %.427.i, ptr readonly align 4 %4, i64 %28, i1 false), !alias.scope !101, !noalias !105
  br label %_copy.3.exit.i

_copy.3.exit.i: ; preds = %B34.if.preheader.i276.i, %B254.if.i
  %.385.i = icmp sgt i64 %.332.0293.i, 1
  br i1 %.385.i, label %B254.if.i, label %B328.i

B442.if.i:                                        ; preds = %B412.i, %_clear.42.exit279.i
  %.533.0297.i = phi i64 [ %.602.i, %_clear.42.exit279.i ], [ 0, %B412.i ]
  %.536.0296.i = phi i64 [ %.598.i, %_clear.42.exit279.i ], [ %storemerge270.i, %B412.i ]
  %.598.i = add nsw i64 %.536.0296.i, -1
  %.602.i = add nuw nsw i64 %.533.0297.i, 1
  br i1 %.9234.not.i.i, label %_clear.42.exit279.i, label %B34.if.preheader.i278.i

B34.if.preheader.i278.i:                          ; preds = %B442.if.i
  %32 = mul nuw nsw i64 %.533.0297.i, %.91.i
  %.631.i = getelementptr float, ptr %18, i64 %32
  tail call void @llvm.memset.p0.i64(ptr align 4 %.631.i, i8 0, i64 %28, i1 false), !alias.scope !107, !noalias !110
  br label %_clear.42.exit279.i

_clear.42.exit279.i: ; preds = %B34.if.preheader.i278.i, %B442.if.i
  %.589.i = icmp sgt i64 %.536.0296.i, 1
  br i1 %.589.i, label %B442.if.i, label %B514.i

B612.if.i:                                        ; preds = %_update_row.44.exit.i, %B514.i
  %.738.0300.i = phi i64 [ %storemerge270.i, %B514.i ], [ %.800.i, %_update_row.44.exit.i ]
  %.735.0299.i = phi i64 [ 0, %B514.i ], [ %.804.i, %_update_row.44.exit.i ]
  %.800.i = add nsw i64 %.738.0300.i, -1
  %.804.i = add nuw nsw i64 %.735.0299.i, 1
  %.832.i = add nsw i64 %.831.i, %.735.0299.i
  %.834.i = mul nsw i64 %.832.i, %.91.i
  %.836.i = getelementptr float, ptr %15, i64 %.834.i
  %.838.i = mul nsw i64 %.735.0299.i, %23
  %.840.i = getelementptr float, ptr %13, i64 %.838.i
  %.844.i = getelementptr float, ptr %19, i64 %.838.i
  %.847.i = mul nsw i64 %.735.0299.i, %.91.i
  %.849.i = getelementptr float, ptr %18, i64 %.847.i
  tail call void @llvm.experimental.noalias.scope.decl(metadata !112)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !115)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !117)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !119)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !121)
  br i1 %.10760.not.i.i, label %_update_row.44.exit.i, label %B34.if.i282.i

B34.if.i282.i:                                    ; preds = %B612.if.i, %B34.if.i282.i
  %.52.062.i.i = phi i64 [ %.116.i.i, %B34.if.i282.i ], [ %23, %B612.if.i ]
  %.49.061.i.i = phi i64 [ %.120.i.i, %B34.if.i282.i ], [ 0, %B612.if.i ]
  %.116.i.i = add nsw i64 %.52.062.i.i, -1
  %.120.i.i = add nuw nsw i64 %.49.061.i.i, 1
  %.150.i.i = getelementptr float, ptr %.849.i, i64 %.49.061.i.i
  %.151.i.i = load float, ptr %.150.i.i, align 4, !alias.scope !123, !noalias !124
  %.154.i283.i = getelementptr float, ptr %6, i64 %.49.061.i.i
  %.155.i.i = load float, ptr %.154.i283.i, align 4, !alias.scope !126, !noalias !127
  %.156.i.i = fmul contract float %.151.i.i, %.155.i.i
  %.159.i.i = getelementptr float, ptr %.836.i, i64 %.49.061.i.i
  %.160.i.i = load float, ptr %.159.i.i, align 4, !alias.scope !128, !noalias !129
  %.161.i.i = fadd contract float %.156.i.i, %.160.i.i
  %.164.i.i = add nuw nsw i64 %.49.061.i.i, %23
  %.166.i.i = getelementptr float, ptr %.849.i, i64 %.164.i.i
  %.167.i.i = load float, ptr %.166.i.i, align 4, !alias.scope !123, !noalias !124
  %.172.i.i = getelementptr float, ptr %6, i64 %.164.i.i
  %.173.i.i = load float, ptr %.172.i.i, align 4, !alias.scope !126, !noalias !127
  %.174.i.i = fmul contract float %.167.i.i, %.173.i.i
  %.179.i.i = getelementptr float, ptr %.836.i, i64 %.164.i.i
  %.180.i.i = load float, ptr %.179.i.i, align 4, !alias.scope !128, !noalias !129
  %.181.i.i = fadd contract float %.174.i.i, %.180.i.i
  %.185.i.i = add nuw nsw i64 %.49.061.i.i, %.183.i.i
  %.187.i.i = getelementptr float, ptr %.849.i, i64 %.185.i.i
  %.188.i.i = load float, ptr %.187.i.i, align 4, !alias.scope !123, !noalias !124
  %.194.i.i = getelementptr float, ptr %6, i64 %.185.i.i
  %.195.i.i = load float, ptr %.194.i.i, align 4, !alias.scope !126, !noalias !127
  %.196.i.i = fmul contract float %.188.i.i, %.195.i.i
  %.202.i284.i = getelementptr float, ptr %.836.i, i64 %.185.i.i
  %.203.i.i = load float, ptr %.202.i284.i, align 4, !alias.scope !128, !noalias !129
  %.204.i.i = fadd contract float %.196.i.i, %.203.i.i
  %.208.i.i = add nuw nsw i64 %.49.061.i.i, %.206.i281.i
  %.210.i.i = getelementptr float, ptr %.849.i, i64 %.208.i.i
  %.211.i.i = load float, ptr %.210.i.i, align 4, !alias.scope !123, !noalias !124
  %.217.i.i = getelementptr float, ptr %6, i64 %.208.i.i
  %.218.i.i = load float, ptr %.217.i.i, align 4, !alias.scope !126, !noalias !127
  %.219.i.i = fmul contract float %.211.i.i, %.218.i.i
  %.225.i.i = getelementptr float, ptr %.836.i, i64 %.208.i.i
  %.226.i.i = load float, ptr %.225.i.i, align 4, !alias.scope !128, !noalias !129
  %.227.i.i = fadd contract float %.219.i.i, %.226.i.i
  %.236.i.i = getelementptr float, ptr %.840.i, i64 %.49.061.i.i
  %.237.i.i = load float, ptr %.236.i.i, align 4, !alias.scope !130, !noalias !131
  %.259.i.i = fcmp contract ogt float %.161.i.i, 2.800000e+01
  %.252.i.i = fneg contract float %.161.i.i
  %_next_cell_v45_exp_v46__exp_parts_v47__vphi74_0.2.1.i.i = select i1 %.259.i.i, float -2.800000e+01, float %.252.i.i
  %.282.i.i = fcmp contract ogt float %_next_cell_v45_exp_v46__exp_parts_v47__vphi74_0.2.1.i.i, 2.800000e+01
  %_next_cell_v45_exp_v46__exp_parts_v47__vphi146_0.2.1.i.i = select i1 %.282.i.i, float 2.800000e+01, float %_next_cell_v45_exp_v46__exp_parts_v47__vphi74_0.2.1.i.i
  %.301.i.i = fmul contract float %_next_cell_v45_exp_v46__exp_parts_v47__vphi146_0.2.1.i.i, 0x3FF7154760000000
  %.303.i.i = fadd contract float %.301.i.i, 0x4168000FE0000000
  %.305.i.i = fadd contract float %.303.i.i, 0xC168000FE0000000
  %.307.i.i = fmul contract float %.305.i.i, 0x3FE6300000000000
  %.308.i.i = fsub contract float %_next_cell_v45_exp_v46__exp_parts_v47__vphi146_0.2.1.i.i, %.307.i.i
  %.310.i.i = fmul contract float %.305.i.i, 0x3F2BD01060000000
  %33 = fadd contract float %.310.i.i, %.308.i.i
  %.313.i.i = fmul contract float %33, 0x3F2A0D2CE0000000
  %.315.i.i = fadd contract float %.313.i.i, 0x3F56E879C0000000
  %.316.i.i = fmul contract float %33, %.315.i.i
  %.318.i.i = fadd contract float %.316.i.i, 0x3F81112100000000
  %.319.i.i = fmul contract float %33, %.318.i.i
  %.321.i.i = fadd contract float %.319.i.i, 0x3FA5553820000000
  %.322.i.i = fmul contract float %33, %.321.i.i
  %.324.i.i = fadd contract float %.322.i.i, 0x3FC5555540000000
  %.325.i.i = fmul contract float %33, %.324.i.i
  %.327.i.i = fadd contract float %.325.i.i, 5.000000e-01
  %.328.i.i = fmul contract float %33, %33
  %.329.i.i = fmul contract float %.328.i.i, %.327.i.i
  %.330.i.i = fadd contract float %33, %.329.i.i
  %.331.i.i = bitcast float %.303.i.i to i32
  %.335.i.i = shl i32 %.331.i.i, 23
  %.337.i.i = bitcast i32 %.335.i.i to float
  %.359.i.i = fadd contract float %.330.i.i, 1.000000e+00
  %.360.i.i = fmul contract float %.359.i.i, %.337.i.i
  %.366.i.i = fmul contract float %.181.i.i, -2.000000e+00
  %.375.i.i = fcmp contract olt float %.366.i.i, -2.800000e+01
  %_next_cell_v45_exp_v48__exp_parts_v49__vphi74_0.2.1.i.i = select i1 %.375.i.i, float -2.800000e+01, float %.366.i.i
  %.398.i.i = fcmp contract ogt float %_next_cell_v45_exp_v48__exp_parts_v49__vphi74_0.2.1.i.i, 2.800000e+01
  %_next_cell_v45_exp_v48__exp_parts_v49__vphi146_0.2.1.i.i = select i1 %.398.i.i, float 2.800000e+01, float %_next_cell_v45_exp_v48__exp_parts_v49__vphi74_0.2.1.i.i
  %.417.i.i = fmul contract float %_next_cell_v45_exp_v48__exp_parts_v49__vphi146_0.2.1.i.i, 0x3FF7154760000000
  %.419.i.i = fadd contract float %.417.i.i, 0x4168000FE0000000
  %.421.i.i = fadd contract float %.419.i.i, 0xC168000FE0000000
  %.423.i.i = fmul contract float %.421.i.i, 0x3FE6300000000000
  %.424.i.i = fsub contract float %_next_cell_v45_exp_v48__exp_parts_v49__vphi146_0.2.1.i.i, %.423.i.i
  %.426.i.i = fmul contract float %.421.i.i, 0x3F2BD01060000000
  %34 = fadd contract float %.426.i.i, %.424.i.i
  %.429.i.i = fmul contract float %34, 0x3F2A0D2CE0000000
  %.431.i.i = fadd contract float %.429.i.i, 0x3F56E879C0000000
  %.432.i.i = fmul contract float %34, %.431.i.i
  %.434.i.i = fadd contract float %.432.i.i, 0x3F81112100000000
  %.435.i.i = fmul contract float %34, %.434.i.i
  %.437.i.i = fadd contract float %.435.i.i, 0x3FA5553820000000
  %.438.i.i = fmul contract float %34, %.437.i.i
  %.440.i.i = fadd contract float %.438.i.i, 0x3FC5555540000000
  %.441.i.i = fmul contract float %34, %.440.i.i
  %.443.i.i = fadd contract float %.441.i.i, 5.000000e-01
  %.444.i.i = fmul contract float %34, %34
  %.445.i.i = fmul contract float %.444.i.i, %.443.i.i
  %.446.i.i = fadd contract float %34, %.445.i.i
  %.447.i.i = bitcast float %.419.i.i to i32
  %.451.i.i = shl i32 %.447.i.i, 23
  %.453.i.i = bitcast i32 %.451.i.i to float
  %.475.i.i = fadd contract float %.446.i.i, 1.000000e+00
  %.476.i.i = fmul contract float %.475.i.i, %.453.i.i
  %.491.i.i = fcmp contract ogt float %.204.i.i, 2.800000e+01
  %.482.i.i = fneg contract float %.204.i.i
  %_next_cell_v45_exp_v50__exp_parts_v51__vphi74_0.2.1.i.i = select i1 %.491.i.i, float -2.800000e+01, float %.482.i.i
  %.514.i.i = fcmp contract ogt float %_next_cell_v45_exp_v50__exp_parts_v51__vphi74_0.2.1.i.i, 2.800000e+01
  %_next_cell_v45_exp_v50__exp_parts_v51__vphi146_0.2.1.i.i = select i1 %.514.i.i, float 2.800000e+01, float %_next_cell_v45_exp_v50__exp_parts_v51__vphi74_0.2.1.i.i
  %.533.i.i = fmul contract float %_next_cell_v45_exp_v50__exp_parts_v51__vphi146_0.2.1.i.i, 0x3FF7154760000000
  %.535.i.i = fadd contract float %.533.i.i, 0x4168000FE0000000
  %.537.i.i = fadd contract float %.535.i.i, 0xC168000FE0000000
  %.539.i.i = fmul contract float %.537.i.i, 0x3FE6300000000000
  %.540.i.i = fsub contract float %_next_cell_v45_exp_v50__exp_parts_v51__vphi146_0.2.1.i.i, %.539.i.i
  %.542.i.i = fmul contract float %.537.i.i, 0x3F2BD01060000000
  %35 = fadd contract float %.542.i.i, %.540.i.i
  %.545.i.i = fmul contract float %35, 0x3F2A0D2CE0000000
  %.547.i.i = fadd contract float %.545.i.i, 0x3F56E879C0000000
  %.548.i.i = fmul contract float %35, %.547.i.i
  %.550.i.i = fadd contract float %.548.i.i, 0x3F81112100000000
  %.551.i.i = fmul contract float %35, %.550.i.i
  %.553.i.i = fadd contract float %.551.i.i, 0x3FA5553820000000
  %.554.i.i = fmul contract float %35, %.553.i.i
  %.556.i.i = fadd contract float %.554.i.i, 0x3FC5555540000000
  %.557.i.i = fmul contract float %35, %.556.i.i
  %.559.i.i = fadd contract float %.557.i.i, 5.000000e-01
  %.560.i.i = fmul contract float %35, %35
  %.561.i.i = fmul contract float %.560.i.i, %.559.i.i
  %.562.i.i = fadd contract float %35, %.561.i.i
  %.563.i.i = bitcast float %.535.i.i to i32
  %.567.i.i = shl i32 %.563.i.i, 23
  %.569.i.i = bitcast i32 %.567.i.i to float
  %.591.i.i = fadd contract float %.562.i.i, 1.000000e+00
  %.592.i.i = fmul contract float %.591.i.i, %.569.i.i
  %.600.i.i = fadd contract float %.360.i.i, 1.000000e+00
  %.602.i.i = fadd contract float %.476.i.i, 1.000000e+00
  %.603.i.i = fmul contract float %.600.i.i, %.602.i.i
  %.605.i.i = fadd contract float %.592.i.i, 1.000000e+00
  %.608.i.i = fmul contract float %.237.i.i, %.603.i.i
  %.612.i.i = fsub contract float 1.000000e+00, %.476.i.i
  %.613.i.i = fmul contract float %.612.i.i, %.605.i.i
  %.614.i.i = fadd contract float %.608.i.i, %.613.i.i
  %.615.i.i = fmul contract float %.603.i.i, %.605.i.i
  %.619.i.i = fdiv contract float %.614.i.i, %.615.i.i
  %.632.i.i = fcmp contract olt float %.619.i.i, %.630.i.i
  %_next_cell_v45_clipped_v52__vphi26_0.2.1.i.i = select i1 %.632.i.i, float %.630.i.i, float %.619.i.i
  %.656.i.i = fcmp contract ogt float %_next_cell_v45_clipped_v52__vphi26_0.2.1.i.i, %24
  %_next_cell_v45_clipped_v52__vphi46_0.2.1.i.i = select i1 %.656.i.i, float %24, float %_next_cell_v45_clipped_v52__vphi26_0.2.1.i.i
  store float %_next_cell_v45_clipped_v52__vphi46_0.2.1.i.i, ptr %.236.i.i, align 4, !alias.scope !130, !noalias !131
  %.697.i.i = fcmp contract ogt float %.227.i.i, 2.800000e+01
  %.690.i.i = fneg contract float %.227.i.i
  %_cell_output_v53_exp_v54__exp_parts_v55__vphi74_0.2.1.i.i = select i1 %.697.i.i, float -2.800000e+01, float %.690.i.i
  %.720.i.i = fcmp contract ogt float %_cell_output_v53_exp_v54__exp_parts_v55__vphi74_0.2.1.i.i, 2.800000e+01
  %_cell_output_v53_exp_v54__exp_parts_v55__vphi146_0.2.1.i.i = select i1 %.720.i.i, float 2.800000e+01, float %_cell_output_v53_exp_v54__exp_parts_v55__vphi74_0.2.1.i.i
  %.739.i.i = fmul contract float %_cell_output_v53_exp_v54__exp_parts_v55__vphi146_0.2.1.i.i, 0x3FF7154760000000
  %.741.i.i = fadd contract float %.739.i.i, 0x4168000FE0000000
  %.743.i.i = fadd contract float %.741.i.i, 0xC168000FE0000000
  %.745.i.i = fmul contract float %.743.i.i, 0x3FE6300000000000
  %.746.i.i = fsub contract float %_cell_output_v53_exp_v54__exp_parts_v55__vphi146_0.2.1.i.i, %.745.i.i
  %.748.i.i = fmul contract float %.743.i.i, 0x3F2BD01060000000
  %36 = fadd contract float %.748.i.i, %.746.i.i
  %.751.i.i = fmul contract float %36, 0x3F2A0D2CE0000000
  %.753.i.i = fadd contract float %.751.i.i, 0x3F56E879C0000000
  %.754.i.i = fmul contract float %36, %.753.i.i
  %.756.i.i = fadd contract float %.754.i.i, 0x3F81112100000000
  %.757.i.i = fmul contract float %36, %.756.i.i
  %.759.i.i = fadd contract float %.757.i.i, 0x3FA5553820000000
  %.760.i.i = fmul contract float %36, %.759.i.i
  %.762.i.i = fadd contract float %.760.i.i, 0x3FC5555540000000
  %.763.i.i = fmul contract float %36, %.762.i.i
  %.765.i.i = fadd contract float %.763.i.i, 5.000000e-01
  %.766.i.i = fmul contract float %36, %36
  %.767.i.i = fmul contract float %.766.i.i, %.765.i.i
  %.768.i.i = fadd contract float %36, %.767.i.i
  %.769.i.i = bitcast float %.741.i.i to i32
  %.773.i.i = shl i32 %.769.i.i, 23
  %.775.i.i = bitcast i32 %.773.i.i to float
  %.797.i.i = fadd contract float %.768.i.i, 1.000000e+00
  %.798.i.i = fmul contract float %.797.i.i, %.775.i.i
  %.805.i.i = fmul contract float %_next_cell_v45_clipped_v52__vphi46_0.2.1.i.i, -2.000000e+00
  %.814.i.i = fcmp contract olt float %.805.i.i, -2.800000e+01
  %_cell_output_v53_exp_v56__exp_parts_v57__vphi74_0.2.1.i.i = select i1 %.814.i.i, float -2.800000e+01, float %.805.i.i
  %.837.i.i = fcmp contract ogt float %_cell_output_v53_exp_v56__exp_parts_v57__vphi74_0.2.1.i.i, 2.800000e+01
  %_cell_output_v53_exp_v56__exp_parts_v57__vphi146_0.2.1.i.i = select i1 %.837.i.i, float 2.800000e+01, float %_cell_output_v53_exp_v56__exp_parts_v57__vphi74_0.2.1.i.i
  %.856.i.i = fmul contract float %_cell_output_v53_exp_v56__exp_parts_v57__vphi146_0.2.1.i.i, 0x3FF7154760000000
  %.858.i.i = fadd contract float %.856.i.i, 0x4168000FE0000000
  %.860.i.i = fadd contract float %.858.i.i, 0xC168000FE0000000
  %.862.i.i = fmul contract float %.860.i.i, 0x3FE6300000000000
  %.863.i.i = fsub contract float %_cell_output_v53_exp_v56__exp_parts_v57__vphi146_0.2.1.i.i, %.862.i.i
  %.865.i.i = fmul contract float %.860.i.i, 0x3F2BD01060000000
  %37 = fadd contract float %.865.i.i, %.863.i.i
  %.868.i.i = fmul contract float %37, 0x3F2A0D2CE0000000
  %.870.i.i = fadd contract float %.868.i.i, 0x3F56E879C0000000
  %.871.i.i = fmul contract float %37, %.870.i.i
  %.873.i.i = fadd contract float %.871.i.i, 0x3F81112100000000
  %.874.i.i = fmul contract float %37, %.873.i.i
  %.876.i.i = fadd contract float %.874.i.i, 0x3FA5553820000000
  %.877.i.i = fmul contract float %37, %.876.i.i
  %.879.i.i = fadd contract float %.877.i.i, 0x3FC5555540000000
  %.880.i.i = fmul contract float %37, %.879.i.i
  %.882.i.i = fadd contract float %.880.i.i, 5.000000e-01
  %.883.i.i = fmul contract float %37, %37
  %.884.i.i = fmul contract float %.883.i.i, %.882.i.i
  %.885.i.i = fadd contract float %37, %.884.i.i
  %.886.i.i = bitcast float %.858.i.i to i32
  %.890.i.i = shl i32 %.886.i.i, 23
  %.892.i.i = bitcast i32 %.890.i.i to float
  %.914.i.i = fadd contract float %.885.i.i, 1.000000e+00
  %.915.i.i = fmul contract float %.914.i.i, %.892.i.i
  %.920.i.i = fsub contract float 1.000000e+00, %.915.i.i
  %.922.i.i = fadd contract float %.798.i.i, 1.000000e+00
  %.924.i.i = fadd contract float %.915.i.i, 1.000000e+00
  %.925.i.i = fmul contract float %.922.i.i, %.924.i.i
  %.929.i.i = fdiv contract float %.920.i.i, %.925.i.i
  %.932.i.i = getelementptr float, ptr %.844.i, i64 %.49.061.i.i
  store float %.929.i.i, ptr %.932.i.i, align 4, !alias.scope !132, !noalias !133
  %.107.i285.i = icmp sgt i64 %.52.062.i.i, 1
  br i1 %.107.i285.i, label %B34.if.i282.i, label %_update_row.44.exit.i

_update_row.44.exit.i: ; preds = %B34.if.i282.i, %B612.if.i
  %.791.i = icmp sgt i64 %.738.0300.i, 1
  br i1 %.791.i, label %B612.if.i, label %B820.i

B1032.if.i:                                       ; preds = %_finish_row.58.exit.i, %_copy.3.exit291.i
  %.1021.0303.i = phi i64 [ %.1083.i, %_copy.3.exit291.i ], [ %storemerge272.i, %_finish_row.58.exit.i ]
  %.1018.0302.i = phi i64 [ %.1087.i, %_copy.3.exit291.i ], [ 1, %_finish_row.58.exit.i ]
  %.1083.i = add nsw i64 %.1021.0303.i, -1
  %.1087.i = add nuw i64 %.1018.0302.i, 1
  br i1 %.9234.not.i286.i, label %_copy.3.exit288.i, label %B34.if.preheader.i287.i

B34.if.preheader.i287.i:                          ; preds = %B1032.if.i
  %.1114.i = mul nsw i64 %.1018.0302.i, %22
  %.1116.i = getelementptr float, ptr %12, i64 %.1114.i
  tail call void @llvm.memcpy.p0.p0.i64(ptr align 4 %.1116.i, ptr readonly align 4 %12, i64 %29, i1 false), !alias.scope !134, !noalias !138
  br label %_copy.3.exit288.i

_copy.3.exit288.i: ; preds = %B34.if.preheader.i287.i, %B1032.if.i
  br i1 %.10760.not.i.i, label %_copy.3.exit291.i, label %B34.if.preheader.i290.i

B34.if.preheader.i290.i:                          ; preds = %_copy.3.exit288.i
  %.1145.i = mul nsw i64 %.1018.0302.i, %23
  %.1147.i = getelementptr float, ptr %13, i64 %.1145.i
  tail call void @llvm.memcpy.p0.p0.i64(ptr align 4 %.1147.i, ptr readonly align 4 %13, i64 %.86.i, i1 false), !alias.scope !140, !noalias !144
  br label %_copy.3.exit291.i

_copy.3.exit291.i: ; preds = %B34.if.preheader.i290.i, %_copy.3.exit288.i
  %.1074.i = icmp sgt i64 %.1021.0303.i, 1
  br i1 %.1074.i, label %B1032.if.i, label %B1174.i

read_layer.1.exit: ; preds = %B1174.i, %27
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.smin.i64(i64, i64) #2

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.smax.i64(i64, i64) #2

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite)
declare void @llvm.experimental.noalias.scope.decl(metadata) #3

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: write)
declare void @llvm.memset.p0.i64(ptr writeonly, i8, i64, i1 immarg) #4

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: readwrite)
declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly, ptr noalias readonly, i64, i1 immarg) #5

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)

attributes #0 = { nofree norecurse nosync nounwind memory(argmem: readwrite, inaccessiblemem: readwrite) }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #3 = { nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite) }
attributes #4 = { nocallback nofree nounwind willreturn memory(argmem: write) }
attributes #5 = { nocallback nofree nounwind willreturn memory(argmem: readwrite) }
attributes #6 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }

!0 = !{!"branch_weights", i32 1, i32 99}
!1 = !{!2}
!2 = distinct !{!2, !3, !"_multiply_row.5: %arg.a"}
!3 = distinct !{!3, !"_multiply_row.5"}
!4 = !{!5}
!5 = distinct !{!5, !3, !"_multiply_row.5: %arg.weight"}
!6 = !{!7}
!7 = distinct !{!7, !3, !"_multiply_row.5: %arg.out"}
!8 = !{!9, !5, !7}
!9 = distinct !{!9, !3, !"_multiply_row.5: %retptr"}
!10 = !{!9, !2, !7}
!11 = !{!9, !2, !5}
!12 = !{!13}
!13 = distinct !{!13, !14, !"_multiply_four.27: %arg.a"}
!14 = distinct !{!14, !"_multiply_four.27"}
!15 = !{!16}
!16 = distinct !{!16, !14, !"_multiply_four.27: %arg.b"}
!17 = !{!18}
!18 = distinct !{!18, !14, !"_multiply_four.27: %arg.c"}
!19 = !{!20}
!20 = distinct !{!20, !14, !"_multiply_four.27: %arg.d"}
!21 = !{!22}
!22 = distinct !{!22, !14, !"_multiply_four.27: %arg.weight"}
!23 = !{!24}
!24 = distinct !{!24, !14, !"_multiply_four.27: %arg.out_a"}
!25 = !{!26}
!26 = distinct !{!26, !14, !"_multiply_four.27: %arg.out_b"}
!27 = !{!28}
!28 = distinct !{!28, !14, !"_multiply_four.27: %arg.out_c"}
!29 = !{!30}
!30 = distinct !{!30, !14, !"_multiply_four.27: %arg.out_d"}
!31 = !{!32, !16, !18, !20, !22, !24, !26, !28, !30}
!32 = distinct !{!32, !14, !"_multiply_four.27: %retptr"}
!33 = !{!32, !13, !18, !20, !22, !24, !26, !28, !30}
!34 = !{!32, !13, !16, !20, !22, !24, !26, !28, !30}
!35 = !{!32, !13, !16, !18, !22, !24, !26, !28, !30}
!36 = !{!32, !13, !16, !18, !20, !24, !26, !28, !30}
!37 = !{!32, !13, !16, !18, !20, !22, !26, !28, !30}
!38 = !{!32, !13, !16, !18, !20, !22, !24, !28, !30}
!39 = !{!32, !13, !16, !18, !20, !22, !24, !26, !30}
!40 = !{!32, !13, !16, !18, !20, !22, !24, !26, !28}
!41 = !{!"branch_weights", i32 99, i32 1}
!42 = !{!43}
!43 = distinct !{!43, !44, !"read_layer.1: %arg.starts"}
!44 = distinct !{!44, !"read_layer.1"}
!45 = !{!46}
!46 = distinct !{!46, !44, !"read_layer.1: %arg.bias"}
!47 = !{!48}
!48 = distinct !{!48, !44, !"read_layer.1: %arg.scales"}
!49 = !{!50}
!50 = distinct !{!50, !44, !"read_layer.1: %arg.h"}
!51 = !{!52}
!52 = distinct !{!52, !44, !"read_layer.1: %arg.c"}
!53 = !{!54}
!54 = distinct !{!54, !44, !"read_layer.1: %arg.out"}
!55 = !{!56}
!56 = distinct !{!56, !44, !"read_layer.1: %arg.inputs"}
!57 = !{!58}
!58 = distinct !{!58, !44, !"read_layer.1: %arg.gates"}
!59 = !{!60}
!60 = distinct !{!60, !44, !"read_layer.1: %arg.hidden"}
!61 = !{!62}
!62 = distinct !{!62, !44, !"read_layer.1: %arg.projected"}
!63 = !{!64, !65, !43, !66, !46, !67, !48, !68, !50, !52, !54, !56, !58, !60, !62}
!64 = distinct !{!64, !44, !"read_layer.1: %retptr"}
!65 = distinct !{!65, !44, !"read_layer.1: %arg.x"}
!66 = distinct !{!66, !44, !"read_layer.1: %arg.from_input"}
!67 = distinct !{!67, !44, !"read_layer.1: %arg.from_state"}
!68 = distinct !{!68, !44, !"read_layer.1: %arg.projection"}
!69 = !{!64, !65, !66, !46, !67, !48, !68, !50, !52, !54, !56, !58, !60, !62}
!70 = !{!71, !73, !74, !75, !64, !65, !43, !66, !46, !67, !48, !68, !50, !52, !54, !56, !58, !60, !62}
!71 = distinct !{!71, !72, !"_multiply_state.43: %retptr"}
!72 = distinct !{!72, !"_multiply_state.43"}
!73 = distinct !{!73, !72, !"_multiply_state.43: %arg.x"}
!74 = distinct !{!74, !72, !"_multiply_state.43: %arg.weight"}
!75 = distinct !{!75, !72, !"_multiply_state.43: %arg.out"}
!76 = !{!77, !62}
!77 = distinct !{!77, !78, !"_clear.42: %arg.target"}
!78 = distinct !{!78, !"_clear.42"}
!79 = !{!80, !64, !65, !43, !66, !46, !67, !48, !68, !50, !52, !54, !56, !58, !60}
!80 = distinct !{!80, !78, !"_clear.42: %retptr"}
!81 = !{!82, !84, !85, !86, !64, !65, !43, !66, !46, !67, !48, !68, !50, !52, !54, !56, !58, !60, !62}
!82 = distinct !{!82, !83, !"_multiply_state.43: %retptr"}
!83 = distinct !{!83, !"_multiply_state.43"}
!84 = distinct !{!84, !83, !"_multiply_state.43: %arg.x"}
!85 = distinct !{!85, !83, !"_multiply_state.43: %arg.weight"}
!86 = distinct !{!86, !83, !"_multiply_state.43: %arg.out"}
!87 = !{!88}
!88 = distinct !{!88, !89, !"_finish_row.58: %arg.projected"}
!89 = distinct !{!89, !"_finish_row.58"}
!90 = !{!91}
!91 = distinct !{!91, !89, !"_finish_row.58: %arg.h"}
!92 = !{!93}
!93 = distinct !{!93, !89, !"_finish_row.58: %arg.out"}
!94 = !{!88, !62}
!95 = !{!96, !91, !93, !64, !65, !43, !66, !46, !67, !48, !68, !50, !52, !54, !56, !58, !60}
!96 = distinct !{!96, !89, !"_finish_row.58: %retptr"}
!97 = !{!91, !50}
!98 = !{!96, !88, !93, !64, !65, !43, !66, !46, !67, !48, !68, !52, !54, !56, !58, !60, !62}
!99 = !{!93, !54}
!100 = !{!96, !88, !91, !64, !65, !43, !66, !46, !67, !48, !68, !50, !52, !56, !58, !60, !62}
!101 = !{!102, !104, !46, !56}
!102 = distinct !{!102, !103, !"_copy.3: %arg.source"}
!103 = distinct !{!103, !"_copy.3"}
!104 = distinct !{!104, !103, !"_copy.3: %arg.target"}
!105 = !{!106, !64, !65, !43, !66, !67, !48, !68, !50, !52, !54, !58, !60, !62}
!106 = distinct !{!106, !103, !"_copy.3: %retptr"}
!107 = !{!108, !58}
!108 = distinct !{!108, !109, !"_clear.42: %arg.target"}
!109 = distinct !{!109, !"_clear.42"}
!110 = !{!111, !64, !65, !43, !66, !46, !67, !48, !68, !50, !52, !54, !56, !60, !62}
!111 = distinct !{!111, !109, !"_clear.42: %retptr"}
!112 = !{!113}
!113 = distinct !{!113, !114, !"_update_row.44: %arg.product"}
!114 = distinct !{!114, !"_update_row.44"}
!115 = !{!116}
!116 = distinct !{!116, !114, !"_update_row.44: %arg.scales"}
!117 = !{!118}
!118 = distinct !{!118, !114, !"_update_row.44: %arg.given"}
!119 = !{!120}
!120 = distinct !{!120, !114, !"_update_row.44: %arg.cell"}
!121 = !{!122}
!122 = distinct !{!122, !114, !"_update_row.44: %arg.hidden"}
!123 = !{!113, !58}
!124 = !{!125, !116, !118, !120, !122, !64, !65, !43, !66, !46, !67, !48, !68, !50, !52, !54, !56, !60, !62}
!125 = distinct !{!125, !114, !"_update_row.44: %retptr"}
!126 = !{!116, !48}
!127 = !{!125, !113, !118, !120, !122, !64, !65, !43, !66, !46, !67, !68, !50, !52, !54, !56, !58, !60, !62}
!128 = !{!118, !56}
!129 = !{!125, !113, !116, !120, !122, !64, !65, !43, !66, !46, !67, !48, !68, !50, !52, !54, !58, !60, !62}
!130 = !{!120, !52}
!131 = !{!125, !113, !116, !118, !122, !64, !65, !43, !66, !46, !67, !48, !68, !50, !54, !56, !58, !60, !62}
!132 = !{!122, !60}
!133 = !{!125, !113, !116, !118, !120, !64, !65, !43, !66, !46, !67, !48, !68, !50, !52, !54, !56, !58, !62}
!134 = !{!135, !137, !50}
!135 = distinct !{!135, !136, !"_copy.3: %arg.source"}
!136 = distinct !{!136, !"_copy.3"}
!137 = distinct !{!137, !136, !"_copy.3: %arg.target"}
!138 = !{!139, !64, !65, !43, !66, !46, !67, !48, !68, !52, !54, !56, !58, !60, !62}
!139 = distinct !{!139, !136, !"_copy.3: %retptr"}
!140 = !{!141, !143, !52}
!141 = distinct !{!141, !142, !"_copy.3: %arg.source"}
!142 = distinct !{!142, !"_copy.3"}
!143 = distinct !{!143, !142, !"_copy.3: %arg.target"}
!144 = !{!145, !64, !65, !43, !66, !46, !67, !48, !68, !50, !54, !56, !58, !60, !62}
!145 = distinct !{!145, !142, !"_copy.3: %retptr"}

; loop: read_layer_bf16
; ModuleID = '<string>'
source_filename = "<string>"

; Function Attrs: nofree norecurse nosync nounwind memory(argmem: readwrite, inaccessiblemem: readwrite)
define internal fastcc void @multiply.61(ptr noalias nonnull writeonly %retptr, ptr noalias readonly %arg.x, i64 %arg.rows, i64 %arg.size, ptr noalias readonly %arg.weight, i64 %arg.width, ptr noalias %arg.out, i64 %arg.apart, i64 %arg.columns) unnamed_addr #0 {
entry:
  %.30 = add i64 %arg.width, -1
  %.31 = add i64 %.30, %arg.columns
  %.35 = icmp eq i64 %arg.columns, 0
  br i1 %.35, label %B0.endif, label %B0.else, !prof !0

B52.loopexit:                                     ; preds = %B669, %B54.if
  %.155 = icmp sgt i64 %.99.0125, 1
  br i1 %.155, label %B54.if, label %B668

B282:                                             ; preds = %B142.if
  tail call void @llvm.experimental.noalias.scope.decl(metadata !1)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !4)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !6)
  br i1 %.105156.i.not, label %B828.else.if.i, label %B44.if.i

B44.loopexit.i:                                   ; preds = %B294.if.i, %B44.if.i
  %.105.i = icmp sgt i64 %.50.0158.i, 1
  br i1 %.105.i, label %B44.if.i, label %B828.else.if.i

B872.loopexit.i:                                  ; preds = %B960.if.i, %B872.if.i
  %.645.i = icmp sgt i64 %.592.0164.i, 1
  br i1 %.645.i, label %B872.if.i, label %B669

B44.if.i:                                         ; preds = %B282, %B44.loopexit.i
  %.50.0158.i = phi i64 [ %.114.i, %B44.loopexit.i ], [ %.84.i, %B282 ]
  %.47.0157.i = phi i64 [ %.118.i, %B44.loopexit.i ], [ 0, %B282 ]
  %.114.i = add nsw i64 %.50.0158.i, -1
  %.118.i = add nuw i64 %.47.0157.i, 8
  %.144.i = getelementptr float, ptr %.355, i64 %.47.0157.i
  %.145.i = load float, ptr %.144.i, align 4, !alias.scope !1, !noalias !8
  %.148.i = getelementptr i8, ptr %.144.i, i64 4
  %.149.i = load float, ptr %.148.i, align 4, !alias.scope !1, !noalias !8
  %.152.i = getelementptr i8, ptr %.144.i, i64 8
  %.153.i = load float, ptr %.152.i, align 4, !alias.scope !1, !noalias !8
  %.156.i = getelementptr i8, ptr %.144.i, i64 12
  %.157.i = load float, ptr %.156.i, align 4, !alias.scope !1, !noalias !8
  %.160.i = getelementptr i8, ptr %.144.i, i64 16
  %.161.i = load float, ptr %.160.i, align 4, !alias.scope !1, !noalias !8
  %.164.i = getelementptr i8, ptr %.144.i, i64 20
  %.165.i = load float, ptr %.164.i, align 4, !alias.scope !1, !noalias !8
  %.168.i = getelementptr i8, ptr %.144.i, i64 24
  %.169.i = load float, ptr %.168.i, align 4, !alias.scope !1, !noalias !8
  %.172.i = getelementptr i8, ptr %.144.i, i64 28
  %.173.i = load float, ptr %.172.i, align 4, !alias.scope !1, !noalias !8
  %.247.i = mul nsw i64 %.47.0157.i, %arg.width
  %.249.i = getelementptr i16, ptr %.364, i64 %.247.i
  br i1 %.333153.not.i, label %B44.loopexit.i, label %B294.if.i

B294.if.i:                                        ; preds = %B44.if.i, %B294.if.i
  %.280.0155.i = phi i64 [ %.342.i, %B294.if.i ], [ %storemerge152.i, %B44.if.i ]
  %.277.0154.i = phi i64 [ %.346.i, %B294.if.i ], [ 0, %B44.if.i ]
  %.342.i = add nsw i64 %.280.0155.i, -1
  %.346.i = add nuw nsw i64 %.277.0154.i, 1
  %.372.i = getelementptr i16, ptr %.249.i, i64 %.277.0154.i
  %.373.i = load i16, ptr %.372.i, align 2, !alias.scope !4, !noalias !10
  %.377.i = zext i16 %.373.i to i32
  %.378.i = shl nuw i32 %.377.i, 16
  %.380.i = bitcast i32 %.378.i to float
  %.384.i = getelementptr i16, ptr %.372.i, i64 %arg.width
  %.385.i = load i16, ptr %.384.i, align 2, !alias.scope !4, !noalias !10
  %.389.i = zext i16 %.385.i to i32
  %.390.i = shl nuw i32 %.389.i, 16
  %.392.i = bitcast i32 %.390.i to float
  %.397.i = getelementptr i8, ptr %.372.i, i64 %.397.idx.i
  %.398.i = load i16, ptr %.397.i, align 2, !alias.scope !4, !noalias !10
  %.402.i = zext i16 %.398.i to i32
  %.403.i = shl nuw i32 %.402.i, 16
  %.405.i = bitcast i32 %.403.i to float
  %.410.i = getelementptr i8, ptr %.372.i, i64 %.410.idx.i
  %.411.i = load i16, ptr %.410.i, align 2, !alias.scope !4, !noalias !10
  %.415.i = zext i16 %.411.i to i32
  %.416.i = shl nuw i32 %.415.i, 16
  %.418.i = bitcast i32 %.416.i to float
  %.423.i = getelementptr i8, ptr %.372.i, i64 %.423.idx.i
  %.424.i = load i16, ptr %.423.i, align 2, !alias.scope !4, !noalias !10
  %.428.i = zext i16 %.424.i to i32
  %.429.i = shl nuw i32 %.428.i, 16
  %.431.i = bitcast i32 %.429.i to float
  %.436.i = getelementptr i8, ptr %.372.i, i64 %.436.idx.i
  %.437.i = load i16, ptr %.436.i, align 2, !alias.scope !4, !noalias !10
  %.441.i = zext i16 %.437.i to i32
  %.442.i = shl nuw i32 %.441.i, 16
  %.444.i = bitcast i32 %.442.i to float
  %.449.i = getelementptr i8, ptr %.372.i, i64 %.449.idx.i
  %.450.i = load i16, ptr %.449.i, align 2, !alias.scope !4, !noalias !10
  %.454.i = zext i16 %.450.i to i32
  %.455.i = shl nuw i32 %.454.i, 16
  %.457.i = bitcast i32 %.455.i to float
  %.462.i = getelementptr i8, ptr %.372.i, i64 %.462.idx.i
  %.463.i = load i16, ptr %.462.i, align 2, !alias.scope !4, !noalias !10
  %.467.i = zext i16 %.463.i to i32
  %.468.i = shl nuw i32 %.467.i, 16
  %.470.i = bitcast i32 %.468.i to float
  %.472.i = getelementptr float, ptr %gep, i64 %.277.0154.i
  %.473.i = load float, ptr %.472.i, align 4, !alias.scope !6, !noalias !11
  %.478.i = tail call contract float @llvm.fmuladd.f32(float %.145.i, float %.380.i, float %.473.i)
  %.479.i = tail call contract float @llvm.fmuladd.f32(float %.149.i, float %.392.i, float %.478.i)
  %.480.i = tail call contract float @llvm.fmuladd.f32(float %.153.i, float %.405.i, float %.479.i)
  %.481.i = tail call contract float @llvm.fmuladd.f32(float %.157.i, float %.418.i, float %.480.i)
  %.486.i = tail call contract float @llvm.fmuladd.f32(float %.161.i, float %.431.i, float %.481.i)
  %.487.i = tail call contract float @llvm.fmuladd.f32(float %.165.i, float %.444.i, float %.486.i)
  %.488.i = tail call contract float @llvm.fmuladd.f32(float %.169.i, float %.457.i, float %.487.i)
  %.489.i = tail call contract float @llvm.fmuladd.f32(float %.173.i, float %.470.i, float %.488.i)
  store float %.489.i, ptr %.472.i, align 4, !alias.scope !6, !noalias !11
  %.333.i = icmp sgt i64 %.280.0155.i, 1
  br i1 %.333.i, label %B294.if.i, label %B44.loopexit.i

B828.else.if.i:                                   ; preds = %B44.loopexit.i, %B282
  br i1 %.645162.not.i, label %B669, label %B872.if.i

B872.if.i:                                        ; preds = %B828.else.if.i, %B872.loopexit.i
  %.592.0164.i = phi i64 [ %.654.i, %B872.loopexit.i ], [ %.602.i, %B828.else.if.i ]
  %.589.0163.i = phi i64 [ %.658.i, %B872.loopexit.i ], [ %.562.i, %B828.else.if.i ]
  %.654.i = add nsw i64 %.592.0164.i, -1
  %.658.i = add nuw nsw i64 %.589.0163.i, 1
  %.684.i = getelementptr float, ptr %.355, i64 %.589.0163.i
  %.685.i = load float, ptr %.684.i, align 4, !alias.scope !1, !noalias !8
  %.687.i = mul nsw i64 %.589.0163.i, %arg.width
  %.689.i = getelementptr i16, ptr %.364, i64 %.687.i
  br i1 %.776159.not.i, label %B872.loopexit.i, label %B960.if.i

B960.if.i:                                        ; preds = %B872.if.i, %B960.if.i
  %.723.0161.i = phi i64 [ %.785.i, %B960.if.i ], [ %storemerge151.i, %B872.if.i ]
  %.720.0160.i = phi i64 [ %.789.i, %B960.if.i ], [ 0, %B872.if.i ]
  %.785.i = add nsw i64 %.723.0161.i, -1
  %.789.i = add nuw nsw i64 %.720.0160.i, 1
  %.815.i = getelementptr float, ptr %gep, i64 %.720.0160.i
  %.816.i = load float, ptr %.815.i, align 4, !alias.scope !6, !noalias !11
  %.818.i = getelementptr i16, ptr %.689.i, i64 %.720.0160.i
  %.819.i = load i16, ptr %.818.i, align 2, !alias.scope !4, !noalias !10
  %.823.i = zext i16 %.819.i to i32
  %.824.i = shl nuw i32 %.823.i, 16
  %.826.i = bitcast i32 %.824.i to float
  %.828.i = tail call contract float @llvm.fmuladd.f32(float %.685.i, float %.826.i, float %.816.i)
  store float %.828.i, ptr %.815.i, align 4, !alias.scope !6, !noalias !11
  %.776.i = icmp sgt i64 %.723.0161.i, 1
  br i1 %.776.i, label %B960.if.i, label %B872.loopexit.i

B324:                                             ; preds = %B142.if
  %.424 = getelementptr float, ptr %.355, i64 %arg.size
  %.426 = add nsw i64 %.375, -1
  %.13.i = tail call i64 @llvm.smin.i64(i64 %.426, i64 2)
  %.13.i107 = tail call i64 @llvm.smin.i64(i64 %.426, i64 3)
  %.456 = mul nsw i64 %.13.i, %arg.size
  %.458 = getelementptr float, ptr %.355, i64 %.456
  %.492 = mul nsw i64 %.13.i107, %arg.size
  %.494 = getelementptr float, ptr %.355, i64 %.492
  %.497 = getelementptr float, ptr %gep, i64 %arg.apart
  %.501 = getelementptr i8, ptr %gep, i64 %.501.idx
  %.505 = getelementptr i8, ptr %gep, i64 %.505.idx
  tail call void @llvm.experimental.noalias.scope.decl(metadata !12)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !15)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !17)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !19)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !21)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !23)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !25)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !27)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !29)
  br i1 %.123152.i.not, label %B934.else.if.i, label %B44.if.i113

B44.loopexit.i118:                                ; preds = %B470.if.i, %B44.if.i113
  %.123.i = icmp sgt i64 %.68.0154.i, 1
  br i1 %.123.i, label %B44.if.i113, label %B934.else.if.i

B978.loopexit.i:                                  ; preds = %B1120.if.i, %B978.if.i
  %.762.i = icmp sgt i64 %.709.0160.i, 1
  br i1 %.762.i, label %B978.if.i, label %B669

B44.if.i113:                                      ; preds = %B324, %B44.loopexit.i118
  %.68.0154.i = phi i64 [ %.132.i, %B44.loopexit.i118 ], [ %.102.i, %B324 ]
  %.65.0153.i = phi i64 [ %.136.i, %B44.loopexit.i118 ], [ 0, %B324 ]
  %.132.i = add nsw i64 %.68.0154.i, -1
  %.136.i = add nuw i64 %.65.0153.i, 4
  %.162.i = getelementptr float, ptr %.355, i64 %.65.0153.i
  %.163.i = load float, ptr %.162.i, align 4, !alias.scope !12, !noalias !31
  %.164.i114 = or disjoint i64 %.65.0153.i, 1
  %.166.i = getelementptr float, ptr %.355, i64 %.164.i114
  %.167.i = load float, ptr %.166.i, align 4, !alias.scope !12, !noalias !31
  %.168.i115 = or disjoint i64 %.65.0153.i, 2
  %.170.i = getelementptr float, ptr %.355, i64 %.168.i115
  %.171.i = load float, ptr %.170.i, align 4, !alias.scope !12, !noalias !31
  %.172.i116 = or disjoint i64 %.65.0153.i, 3
  %.174.i = getelementptr float, ptr %.355, i64 %.172.i116
  %.175.i = load float, ptr %.174.i, align 4, !alias.scope !12, !noalias !31
  %.213.i = getelementptr float, ptr %.424, i64 %.65.0153.i
  %.214.i = load float, ptr %.213.i, align 4, !alias.scope !15, !noalias !33
  %.217.i = getelementptr float, ptr %.424, i64 %.164.i114
  %.218.i = load float, ptr %.217.i, align 4, !alias.scope !15, !noalias !33
  %.221.i = getelementptr float, ptr %.424, i64 %.168.i115
  %.222.i = load float, ptr %.221.i, align 4, !alias.scope !15, !noalias !33
  %.225.i = getelementptr float, ptr %.424, i64 %.172.i116
  %.226.i = load float, ptr %.225.i, align 4, !alias.scope !15, !noalias !33
  %.264.i = getelementptr float, ptr %.458, i64 %.65.0153.i
  %.265.i = load float, ptr %.264.i, align 4, !alias.scope !17, !noalias !34
  %.268.i = getelementptr float, ptr %.458, i64 %.164.i114
  %.269.i = load float, ptr %.268.i, align 4, !alias.scope !17, !noalias !34
  %.272.i = getelementptr float, ptr %.458, i64 %.168.i115
  %.273.i = load float, ptr %.272.i, align 4, !alias.scope !17, !noalias !34
  %.276.i = getelementptr float, ptr %.458, i64 %.172.i116
  %.277.i = load float, ptr %.276.i, align 4, !alias.scope !17, !noalias !34
  %.315.i = getelementptr float, ptr %.494, i64 %.65.0153.i
  %.316.i = load float, ptr %.315.i, align 4, !alias.scope !19, !noalias !35
  %.319.i = getelementptr float, ptr %.494, i64 %.164.i114
  %.320.i = load float, ptr %.319.i, align 4, !alias.scope !19, !noalias !35
  %.323.i = getelementptr float, ptr %.494, i64 %.168.i115
  %.324.i = load float, ptr %.323.i, align 4, !alias.scope !19, !noalias !35
  %.327.i = getelementptr float, ptr %.494, i64 %.172.i116
  %.328.i = load float, ptr %.327.i, align 4, !alias.scope !19, !noalias !35
  %.366.i = mul nsw i64 %.65.0153.i, %arg.width
  %.368.i = getelementptr i16, ptr %.364, i64 %.366.i
  br i1 %.452149.not.i, label %B44.loopexit.i118, label %B470.if.i

B470.if.i:                                        ; preds = %B44.if.i113, %B470.if.i
  %.399.0151.i = phi i64 [ %.461.i, %B470.if.i ], [ %storemerge148.i, %B44.if.i113 ]
  %.396.0150.i = phi i64 [ %.465.i, %B470.if.i ], [ 0, %B44.if.i113 ]
  %.461.i = add nsw i64 %.399.0151.i, -1
  %.465.i = add nuw nsw i64 %.396.0150.i, 1
  %.491.i = getelementptr i16, ptr %.368.i, i64 %.396.0150.i
  %.492.i = load i16, ptr %.491.i, align 2, !alias.scope !21, !noalias !36
  %.496.i = zext i16 %.492.i to i32
  %.497.i = shl nuw i32 %.496.i, 16
  %.499.i = bitcast i32 %.497.i to float
  %.503.i = getelementptr i16, ptr %.491.i, i64 %arg.width
  %.504.i = load i16, ptr %.503.i, align 2, !alias.scope !21, !noalias !36
  %.508.i = zext i16 %.504.i to i32
  %.509.i = shl nuw i32 %.508.i, 16
  %.511.i = bitcast i32 %.509.i to float
  %.516.i = getelementptr i8, ptr %.491.i, i64 %.516.idx.i
  %.517.i = load i16, ptr %.516.i, align 2, !alias.scope !21, !noalias !36
  %.521.i = zext i16 %.517.i to i32
  %.522.i = shl nuw i32 %.521.i, 16
  %.524.i = bitcast i32 %.522.i to float
  %.529.i = getelementptr i8, ptr %.491.i, i64 %.529.idx.i
  %.530.i = load i16, ptr %.529.i, align 2, !alias.scope !21, !noalias !36
  %.534.i = zext i16 %.530.i to i32
  %.535.i = shl nuw i32 %.534.i, 16
  %.537.i = bitcast i32 %.535.i to float
  %.539.i = getelementptr float, ptr %gep, i64 %.396.0150.i
  %.540.i = load float, ptr %.539.i, align 4, !alias.scope !23, !noalias !37
  %.545.i = tail call contract float @llvm.fmuladd.f32(float %.163.i, float %.499.i, float %.540.i)
  %.546.i = tail call contract float @llvm.fmuladd.f32(float %.167.i, float %.511.i, float %.545.i)
  %.547.i = tail call contract float @llvm.fmuladd.f32(float %.171.i, float %.524.i, float %.546.i)
  %.548.i = tail call contract float @llvm.fmuladd.f32(float %.175.i, float %.537.i, float %.547.i)
  store float %.548.i, ptr %.539.i, align 4, !alias.scope !23, !noalias !37
  %.553.i = getelementptr float, ptr %.497, i64 %.396.0150.i
  %.554.i = load float, ptr %.553.i, align 4, !alias.scope !25, !noalias !38
  %.559.i = tail call contract float @llvm.fmuladd.f32(float %.214.i, float %.499.i, float %.554.i)
  %.560.i = tail call contract float @llvm.fmuladd.f32(float %.218.i, float %.511.i, float %.559.i)
  %.561.i = tail call contract float @llvm.fmuladd.f32(float %.222.i, float %.524.i, float %.560.i)
  %.562.i117 = tail call contract float @llvm.fmuladd.f32(float %.226.i, float %.537.i, float %.561.i)
  store float %.562.i117, ptr %.553.i, align 4, !alias.scope !25, !noalias !38
  %.567.i = getelementptr float, ptr %.501, i64 %.396.0150.i
  %.568.i = load float, ptr %.567.i, align 4, !alias.scope !27, !noalias !39
  %.573.i = tail call contract float @llvm.fmuladd.f32(float %.265.i, float %.499.i, float %.568.i)
  %.574.i = tail call contract float @llvm.fmuladd.f32(float %.269.i, float %.511.i, float %.573.i)
  %.575.i = tail call contract float @llvm.fmuladd.f32(float %.273.i, float %.524.i, float %.574.i)
  %.576.i = tail call contract float @llvm.fmuladd.f32(float %.277.i, float %.537.i, float %.575.i)
  store float %.576.i, ptr %.567.i, align 4, !alias.scope !27, !noalias !39
  %.581.i = getelementptr float, ptr %.505, i64 %.396.0150.i
  %.582.i = load float, ptr %.581.i, align 4, !alias.scope !29, !noalias !40
  %.587.i = tail call contract float @llvm.fmuladd.f32(float %.316.i, float %.499.i, float %.582.i)
  %.588.i = tail call contract float @llvm.fmuladd.f32(float %.320.i, float %.511.i, float %.587.i)
  %.589.i = tail call contract float @llvm.fmuladd.f32(float %.324.i, float %.524.i, float %.588.i)
  %.590.i = tail call contract float @llvm.fmuladd.f32(float %.328.i, float %.537.i, float %.589.i)
  store float %.590.i, ptr %.581.i, align 4, !alias.scope !29, !noalias !40
  %.452.i = icmp sgt i64 %.399.0151.i, 1
  br i1 %.452.i, label %B470.if.i, label %B44.loopexit.i118

B934.else.if.i:                                   ; preds = %B44.loopexit.i118, %B324
  br i1 %.762158.not.i, label %B669, label %B978.if.i

B978.if.i:                                        ; preds = %B934.else.if.i, %B978.loopexit.i
  %.709.0160.i = phi i64 [ %.771.i, %B978.loopexit.i ], [ %.719.i, %B934.else.if.i ]
  %.706.0159.i = phi i64 [ %.775.i, %B978.loopexit.i ], [ %.679.i, %B934.else.if.i ]
  %.771.i = add nsw i64 %.709.0160.i, -1
  %.775.i = add nuw nsw i64 %.706.0159.i, 1
  %.801.i = getelementptr float, ptr %.355, i64 %.706.0159.i
  %.802.i = load float, ptr %.801.i, align 4, !alias.scope !12, !noalias !31
  %.804.i = getelementptr float, ptr %.424, i64 %.706.0159.i
  %.805.i = load float, ptr %.804.i, align 4, !alias.scope !15, !noalias !33
  %.807.i = getelementptr float, ptr %.458, i64 %.706.0159.i
  %.808.i = load float, ptr %.807.i, align 4, !alias.scope !17, !noalias !34
  %.810.i = getelementptr float, ptr %.494, i64 %.706.0159.i
  %.811.i = load float, ptr %.810.i, align 4, !alias.scope !19, !noalias !35
  %.813.i = mul nsw i64 %.706.0159.i, %arg.width
  %.815.i111 = getelementptr i16, ptr %.364, i64 %.813.i
  br i1 %.921155.not.i, label %B978.loopexit.i, label %B1120.if.i

B1120.if.i:                                       ; preds = %B978.if.i, %B1120.if.i
  %.868.0157.i = phi i64 [ %.930.i, %B1120.if.i ], [ %storemerge147.i, %B978.if.i ]
  %.865.0156.i = phi i64 [ %.934.i, %B1120.if.i ], [ 0, %B978.if.i ]
  %.930.i = add nsw i64 %.868.0157.i, -1
  %.934.i = add nuw nsw i64 %.865.0156.i, 1
  %.960.i = getelementptr i16, ptr %.815.i111, i64 %.865.0156.i
  %.961.i = load i16, ptr %.960.i, align 2, !alias.scope !21, !noalias !36
  %.965.i = zext i16 %.961.i to i32
  %.966.i = shl nuw i32 %.965.i, 16
  %.968.i = bitcast i32 %.966.i to float
  %.970.i = getelementptr float, ptr %gep, i64 %.865.0156.i
  %.971.i = load float, ptr %.970.i, align 4, !alias.scope !23, !noalias !37
  %.973.i = tail call contract float @llvm.fmuladd.f32(float %.802.i, float %.968.i, float %.971.i)
  store float %.973.i, ptr %.970.i, align 4, !alias.scope !23, !noalias !37
  %.978.i = getelementptr float, ptr %.497, i64 %.865.0156.i
  %.979.i = load float, ptr %.978.i, align 4, !alias.scope !25, !noalias !38
  %.981.i = tail call contract float @llvm.fmuladd.f32(float %.805.i, float %.968.i, float %.979.i)
  store float %.981.i, ptr %.978.i, align 4, !alias.scope !25, !noalias !38
  %.986.i = getelementptr float, ptr %.501, i64 %.865.0156.i
  %.987.i = load float, ptr %.986.i, align 4, !alias.scope !27, !noalias !39
  %.989.i = tail call contract float @llvm.fmuladd.f32(float %.808.i, float %.968.i, float %.987.i)
  store float %.989.i, ptr %.986.i, align 4, !alias.scope !27, !noalias !39
  %.994.i = getelementptr float, ptr %.505, i64 %.865.0156.i
  %.995.i = load float, ptr %.994.i, align 4, !alias.scope !29, !noalias !40
  %.997.i = tail call contract float @llvm.fmuladd.f32(float %.811.i, float %.968.i, float %.995.i)
  store float %.997.i, ptr %.994.i, align 4, !alias.scope !29, !noalias !40
  %.921.i = icmp sgt i64 %.868.0157.i, 1
  br i1 %.921.i, label %B1120.if.i, label %B978.loopexit.i

B668:                                             ; preds = %B52.loopexit, %B0.endif
  store ptr null, ptr %retptr, align 8
  ret void

B669:                                             ; preds = %B978.loopexit.i, %B872.loopexit.i, %B934.else.if.i, %B828.else.if.i
  %.314 = icmp sgt i64 %.260.0122, 1
  br i1 %.314, label %B142.if, label %B52.loopexit

B0.else:                                          ; preds = %entry
  %.46 = icmp ne i64 %.31, -9223372036854775808
  %.47 = icmp ne i64 %arg.columns, -1
  %.48.not = or i1 %.47, %.46
  br i1 %.48.not, label %B0.else.if, label %B0.endif, !prof !41

B0.endif:                                         ; preds = %B0.else.if, %B0.else, %entry
  %quot.0 = phi i64 [ 0, %entry ], [ %3, %B0.else.if ], [ 0, %B0.else ]
  %.155124.not = icmp eq i64 %quot.0, 0
  br i1 %.155124.not, label %B668, label %B54.if.lr.ph

B54.if.lr.ph:                                     ; preds = %B0.endif
  %0 = add nuw i64 %arg.rows, 3
  %.292 = lshr i64 %0, 2
  %.271.inv = icmp sgt i64 %arg.rows, 0
  %storemerge106 = select i1 %.271.inv, i64 %.292, i64 0
  %.314121.not = icmp eq i64 %storemerge106, 0
  %.501.idx = shl i64 %arg.apart, 3
  %.505.idx = mul i64 %arg.apart, 12
  %.79.i = icmp slt i64 %arg.size, 4
  %.41.i = add nsw i64 %arg.size, -3
  %1 = and i64 %.41.i, -9223372036854775805
  %.99.i = icmp sgt i64 %1, 0
  %.100161.i = lshr i64 %.41.i, 2
  %.101.i = zext i1 %.99.i to i64
  %.102.i = add nuw nsw i64 %.100161.i, %.101.i
  %.516.idx.i = shl i64 %arg.width, 2
  %.529.idx.i = mul i64 %arg.width, 6
  %.719.i = and i64 %arg.size, 3
  %.762158.not.i = icmp eq i64 %.719.i, 0
  %.679.i = and i64 %arg.size, -4
  %.61.i = icmp slt i64 %arg.size, 8
  %.23.i = add nsw i64 %arg.size, -7
  %2 = and i64 %.23.i, -9223372036854775801
  %.81.i = icmp sgt i64 %2, 0
  %.82165.i = lshr i64 %.23.i, 3
  %.83.i = zext i1 %.81.i to i64
  %.84.i = add nuw nsw i64 %.82165.i, %.83.i
  %.397.idx.i = shl i64 %arg.width, 2
  %.410.idx.i = mul i64 %arg.width, 6
  %.423.idx.i = shl i64 %arg.width, 3
  %.436.idx.i = mul i64 %arg.width, 10
  %.449.idx.i = mul i64 %arg.width, 12
  %.462.idx.i = mul i64 %arg.width, 14
  %.602.i = and i64 %arg.size, 7
  %.645162.not.i = icmp eq i64 %.602.i, 0
  %.562.i = and i64 %arg.size, -8
  %.123152.i.not130 = icmp eq i64 %.102.i, 0
  %.123152.i.not = select i1 %.79.i, i1 true, i1 %.123152.i.not130
  %.105156.i.not131 = icmp eq i64 %.84.i, 0
  %.105156.i.not = select i1 %.61.i, i1 true, i1 %.105156.i.not131
  br label %B54.if

B0.else.if:                                       ; preds = %B0.else
  %.51 = sdiv i64 %.31, %arg.columns
  %.52 = srem i64 %.31, %arg.columns
  %.53 = xor i64 %.52, %arg.columns
  %.54 = icmp slt i64 %.53, 0
  %.55 = icmp ne i64 %.52, 0
  %.56 = and i1 %.55, %.54
  %.61 = sext i1 %.56 to i64
  %spec.select = add i64 %.51, %.61
  %3 = tail call i64 @llvm.smax.i64(i64 %spec.select, i64 0)
  br label %B0.endif

B54.if:                                           ; preds = %B54.if.lr.ph, %B52.loopexit
  %.96.0126 = phi i64 [ 0, %B54.if.lr.ph ], [ %.168, %B52.loopexit ]
  %.99.0125 = phi i64 [ %quot.0, %B54.if.lr.ph ], [ %.164, %B52.loopexit ]
  %.164 = add nsw i64 %.99.0125, -1
  %.168 = add nuw nsw i64 %.96.0126, 1
  %4 = mul nsw i64 %.96.0126, %arg.columns
  %invariant.gep = getelementptr float, ptr %arg.out, i64 %4
  br i1 %.314121.not, label %B52.loopexit, label %B142.if.lr.ph

B142.if.lr.ph:                                    ; preds = %B54.if
  %.200 = sub nsw i64 %arg.width, %4
  %.13.i119 = tail call i64 @llvm.smin.i64(i64 %.200, i64 %arg.columns)
  %.364 = getelementptr i16, ptr %arg.weight, i64 %4
  %storemerge148.i = tail call i64 @llvm.smax.i64(i64 %.13.i119, i64 0)
  %.452149.not.i = icmp slt i64 %.13.i119, 1
  %storemerge147.i = tail call i64 @llvm.smax.i64(i64 %.13.i119, i64 0)
  %.921155.not.i = icmp slt i64 %.13.i119, 1
  %storemerge152.i = tail call i64 @llvm.smax.i64(i64 %.13.i119, i64 0)
  %.333153.not.i = icmp slt i64 %.13.i119, 1
  %storemerge151.i = tail call i64 @llvm.smax.i64(i64 %.13.i119, i64 0)
  %.776159.not.i = icmp slt i64 %.13.i119, 1
  br label %B142.if

B142.if:                                          ; preds = %B142.if.lr.ph, %B669
  %.257.0123 = phi i64 [ 0, %B142.if.lr.ph ], [ %.327, %B669 ]
  %.260.0122 = phi i64 [ %storemerge106, %B142.if.lr.ph ], [ %.323, %B669 ]
  %.323 = add nsw i64 %.260.0122, -1
  %.327 = add nuw i64 %.257.0123, 4
  %.353 = mul nsw i64 %.257.0123, %arg.size
  %.355 = getelementptr float, ptr %arg.x, i64 %.353
  %.357 = mul nsw i64 %.257.0123, %arg.apart
  %gep = getelementptr float, ptr %invariant.gep, i64 %.357
  %.375 = sub nsw i64 %arg.rows, %.257.0123
  %.380 = icmp eq i64 %.375, 1
  br i1 %.380, label %B282, label %B324
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.fmuladd.f32(float, float, float) #1

; Function Attrs: nofree norecurse nosync nounwind memory(argmem: readwrite, inaccessiblemem: readwrite)
define void @read_layer_bf16(ptr noalias readonly %0, ptr noalias readonly %1, i64 %2, ptr noalias readonly %3, ptr noalias readonly %4, ptr noalias readonly %5, ptr noalias readonly %6, ptr noalias readonly %7, ptr noalias readnone %8, ptr noalias readnone %9, ptr noalias readnone %10, ptr noalias readnone %11, ptr noalias %12, ptr noalias %13, ptr noalias writeonly %14, ptr noalias %15, i64 %16, i64 %17, ptr noalias %18, ptr noalias %19, ptr noalias %20, i64 %21, i64 %22, i64 %23, float %24, float %25, i64 %26) local_unnamed_addr #0 {
  %.41.i273.i = alloca ptr, align 8
  %.41.i.i = alloca ptr, align 8
  %.484.i = alloca ptr, align 8
  tail call void @llvm.experimental.noalias.scope.decl(metadata !42)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !45)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !47)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !49)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !51)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !53)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !55)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !57)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !59)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !61)
  store ptr null, ptr %.484.i, align 8, !noalias !63
  %.86.i = shl i64 %23, 2
  %.91.i = add nsw i64 %.86.i, 272
  %.184304.not.i = icmp slt i64 %2, 1
  br i1 %.184304.not.i, label %read_layer.60.exit, label %B100.if.lr.ph.i

B100.if.lr.ph.i:                                  ; preds = %27
  %.266.i = getelementptr i64, ptr %1, i64 %2
  %.9234.not.i.i = icmp slt i64 %.86.i, 1
  %28 = shl i64 %23, 4
  %.10760.not.i.i = icmp slt i64 %23, 1
  %.183.i.i = shl nuw nsw i64 %23, 1
  %.206.i281.i = mul nuw nsw i64 %23, 3
  %.630.i.i = fneg contract float %24
  %.152.i.i = fneg contract float %25
  %.987.not.i = icmp eq i64 %26, 0
  %.1031.i = add i64 %21, -1
  %storemerge272.i = tail call i64 @llvm.smax.i64(i64 %.1031.i, i64 0)
  %.1074301.not309.i = icmp slt i64 %.1031.i, 1
  %.9234.not.i286.i = icmp slt i64 %22, 1
  %29 = shl nuw i64 %22, 2
  br label %B100.if.i

B164.i:                                           ; preds = %B100.if.i
  %.263.i = add nsw i64 %.238.i, %16
  %.267.i = load i64, ptr %.266.i, align 8, !alias.scope !42, !noalias !69
  %.13.i.i = tail call i64 @llvm.smin.i64(i64 %.267.i, i64 %.263.i)
  %.305.i = sub nsw i64 %.13.i.i, %.238.i
  %.385292.not.i = icmp slt i64 %.305.i, 1
  br i1 %.385292.not.i, label %B328.i, label %B254.if.i

B328.i:                                           ; preds = %_copy.3.exit.i, %B164.i
  %.468.i = mul nsw i64 %.238.i, %22
  %.470.i = getelementptr float, ptr %0, i64 %.468.i
  store ptr null, ptr %.484.i, align 8, !noalias !63
  call fastcc void @multiply.61(ptr %.484.i, ptr readonly %.470.i, i64 %.305.i, i64 %22, ptr readonly %3, i64 %.86.i, ptr %15, i64 %.91.i, i64 %17)
  br label %B412.i

B412.i:                                           ; preds = %B100.if.i, %B328.i
  %first.2.1.i = phi i64 [ %first.3.0307.i, %B100.if.i ], [ %.238.i, %B328.i ]
  %last.3.1.i = phi i64 [ %last.2.0308.i, %B100.if.i ], [ %.13.i.i, %B328.i ]
  %storemerge270.i = tail call i64 @llvm.smax.i64(i64 %.248.i, i64 0)
  %.589295.not.i = icmp slt i64 %.248.i, 1
  br i1 %.589295.not.i, label %B820.i.critedge, label %B442.if.i

B514.i:                                           ; preds = %_clear.42.exit279.i
  %.663.i = icmp eq i64 %.248.i, 1
  %.86.arg.dim.i = select i1 %.663.i, i64 %.86.i, i64 %23
  store ptr null, ptr %.41.i.i, align 8, !noalias !70
  call fastcc void @multiply.61(ptr %.41.i.i, ptr readonly %12, i64 %.248.i, i64 %22, ptr readonly %5, i64 %.86.i, ptr %18, i64 %.91.i, i64 %.86.arg.dim.i)
  %.831.i = sub i64 %.238.i, %first.2.1.i
  br label %B612.if.i

B820.i.critedge:                                  ; preds = %B412.i
  store ptr null, ptr %.41.i.i, align 8, !noalias !70
  call fastcc void @multiply.61(ptr %.41.i.i, ptr readonly %12, i64 %.248.i, i64 %22, ptr readonly %5, i64 %.86.i, ptr %18, i64 %.91.i, i64 %23)
  br label %B820.i

B820.i:                                           ; preds = %_update_row.44.exit.i, %B820.i.critedge
  %.885.i = mul nsw i64 %.248.i, %22
  %.8934.not.i.i = icmp slt i64 %.885.i, 1
  br i1 %.8934.not.i.i, label %_finish_row.58.exit.i.critedge, label %B34.if.preheader.i.i

B34.if.preheader.i.i:                             ; preds = %B820.i
  %30 = shl nuw i64 %.885.i, 2
  tail call void @llvm.memset.p0.i64(ptr align 4 %20, i8 0, i64 %30, i1 false), !alias.scope !76, !noalias !79
  store ptr null, ptr %.41.i273.i, align 8, !noalias !81
  call fastcc void @multiply.61(ptr %.41.i273.i, ptr readonly %19, i64 %.248.i, i64 %23, ptr readonly %7, i64 %22, ptr %20, i64 %22, i64 %22)
  %.949.i = mul nsw i64 %.238.i, %22
  %.953.i = getelementptr float, ptr %14, i64 %.949.i
  tail call void @llvm.experimental.noalias.scope.decl(metadata !87)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !90)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !92)
  br label %B34.if.i.i

B34.if.i.i:                                       ; preds = %B34.if.preheader.i.i, %B34.if.i.i
  %.43.040.i.i = phi i64 [ %.107.i.i, %B34.if.i.i ], [ %.885.i, %B34.if.preheader.i.i ]
  %.40.039.i.i = phi i64 [ %.111.i.i, %B34.if.i.i ], [ 0, %B34.if.preheader.i.i ]
  %.107.i.i = add nsw i64 %.43.040.i.i, -1
  %.111.i.i = add nuw nsw i64 %.40.039.i.i, 1
  %.142.i.i = getelementptr float, ptr %20, i64 %.40.039.i.i
  %.143.i.i = load float, ptr %.142.i.i, align 4, !alias.scope !94, !noalias !95
  %.154.i.i = fcmp contract olt float %.143.i.i, %.152.i.i
  %.152..143.i.i = select i1 %.154.i.i, float %.152.i.i, float %.143.i.i
  %.178.i.i = fcmp contract ogt float %.152..143.i.i, %25
  %clipped_v59__vphi46_0.2.1.i.i = select i1 %.178.i.i, float %25, float %.152..143.i.i
  %.202.i.i = getelementptr float, ptr %12, i64 %.40.039.i.i
  store float %clipped_v59__vphi46_0.2.1.i.i, ptr %.202.i.i, align 4, !alias.scope !97, !noalias !98
  %.206.i.i = getelementptr float, ptr %.953.i, i64 %.40.039.i.i
  store float %clipped_v59__vphi46_0.2.1.i.i, ptr %.206.i.i, align 4, !alias.scope !99, !noalias !100
  %.98.i.i = icmp sgt i64 %.43.040.i.i, 1
  br i1 %.98.i.i, label %B34.if.i.i, label %_finish_row.58.exit.i

_finish_row.58.exit.i.critedge: ; preds = %B820.i
  store ptr null, ptr %.41.i273.i, align 8, !noalias !81
  call fastcc void @multiply.61(ptr %.41.i273.i, ptr readonly %19, i64 %.248.i, i64 %23, ptr readonly %7, i64 %22, ptr %20, i64 %22, i64 %22)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !87)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !90)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !92)
  br label %_finish_row.58.exit.i

_finish_row.58.exit.i: ; preds = %B34.if.i.i, %_finish_row.58.exit.i.critedge
  %.990.i = icmp ne i64 %.125.0306.i, 0
  %or.cond.not310.i = or i1 %.987.not.i, %.990.i
  %brmerge.i = select i1 %or.cond.not310.i, i1 true, i1 %.1074301.not309.i
  br i1 %brmerge.i, label %B1174.i, label %B1032.if.i

B1174.i:                                          ; preds = %_copy.3.exit291.i, %_finish_row.58.exit.i
  %.184.i = icmp sgt i64 %.128.0305.i, 1
  br i1 %.184.i, label %B100.if.i, label %read_layer.60.exit

B100.if.i:                                        ; preds = %B1174.i, %B100.if.lr.ph.i
  %last.2.0308.i = phi i64 [ 0, %B100.if.lr.ph.i ], [ %last.3.1.i, %B1174.i ]
  %first.3.0307.i = phi i64 [ 0, %B100.if.lr.ph.i ], [ %first.2.1.i, %B1174.i ]
  %.125.0306.i = phi i64 [ 0, %B100.if.lr.ph.i ], [ %.197.i, %B1174.i ]
  %.128.0305.i = phi i64 [ %2, %B100.if.lr.ph.i ], [ %.193.i, %B1174.i ]
  %.193.i = add nsw i64 %.128.0305.i, -1
  %.197.i = add nuw nsw i64 %.125.0306.i, 1
  %.237.i = getelementptr i64, ptr %1, i64 %.125.0306.i
  %.238.i = load i64, ptr %.237.i, align 8, !alias.scope !42, !noalias !69
  %.242.i = getelementptr i8, ptr %.237.i, i64 8
  %.243.i = load i64, ptr %.242.i, align 8, !alias.scope !42, !noalias !69
  %.248.i = sub nsw i64 %.243.i, %.238.i
  %.253.i = icmp sgt i64 %.243.i, %last.2.0308.i
  br i1 %.253.i, label %B164.i, label %B412.i

B254.if.i:                                        ; preds = %B164.i, %_copy.3.exit.i
  %.329.0294.i = phi i64 [ %.398.i, %_copy.3.exit.i ], [ 0, %B164.i ]
  %.332.0293.i = phi i64 [ %.394.i, %_copy.3.exit.i ], [ %.305.i, %B164.i ]
  %.394.i = add nsw i64 %.332.0293.i, -1
  %.398.i = add nuw nsw i64 %.329.0294.i, 1
  br i1 %.9234.not.i.i, label %_copy.3.exit.i, label %B34.if.preheader.i276.i

B34.if.preheader.i276.i:                          ; preds = %B254.if.i
  %31 = mul nuw nsw i64 %.329.0294.i, %.91.i
  %.427.i = getelementptr float, ptr %15, i64 %31
  tail call void @llvm.memcpy.p0.p0.i64(ptr align 4 %.427.i, ptr readonly align 4 %4, i64 %28, i1 false), !alias.scope !101, !noalias !105
  br label %_copy.3.exit.i

_copy.3.exit.i: ; preds = %B34.if.preheader.i276.i, %B254.if.i
  %.385.i = icmp sgt i64 %.332.0293.i, 1
  br i1 %.385.i, label %B254.if.i, label %B328.i

B442.if.i:                                        ; preds = %B412.i, %_clear.42.exit279.i
  %.533.0297.i = phi i64 [ %.602.i, %_clear.42.exit279.i ], [ 0, %B412.i ]
  %.536.0296.i = phi i64 [ %.598.i, %_clear.42.exit279.i ], [ %storemerge270.i, %B412.i ]
  %.598.i = add nsw i64 %.536.0296.i, -1
  %.602.i = add nuw nsw i64 %.533.0297.i, 1
  br i1 %.9234.not.i.i, label %_clear.42.exit279.i, label %B34.if.preheader.i278.i

B34.if.preheader.i278.i:                          ; preds = %B442.if.i
  %32 = mul nuw nsw i64 %.533.0297.i, %.91.i
  %.631.i = getelementptr float, ptr %18, i64 %32
  tail call void @llvm.memset.p0.i64(ptr align 4 %.631.i, i8 0, i64 %28, i1 false), !alias.scope !107, !noalias !110
  br label %_clear.42.exit279.i

_clear.42.exit279.i: ; preds = %B34.if.preheader.i278.i, %B442.if.i
  %.589.i = icmp sgt i64 %.536.0296.i, 1
  br i1 %.589.i, label %B442.if.i, label %B514.i

B612.if.i:                                        ; preds = %_update_row.44.exit.i, %B514.i
  %.738.0300.i = phi i64 [ %storemerge270.i, %B514.i ], [ %.800.i, %_update_row.44.exit.i ]
  %.735.0299.i = phi i64 [ 0, %B514.i ], [ %.804.i, %_update_row.44.exit.i ]
  %.800.i = add nsw i64 %.738.0300.i, -1
  %.804.i = add nuw nsw i64 %.735.0299.i, 1
  %.832.i = add nsw i64 %.831.i, %.735.0299.i
  %.834.i = mul nsw i64 %.832.i, %.91.i
  %.836.i = getelementptr float, ptr %15, i64 %.834.i
  %.838.i = mul nsw i64 %.735.0299.i, %23
  %.840.i = getelementptr float, ptr %13, i64 %.838.i
  %.844.i = getelementptr float, ptr %19, i64 %.838.i
  %.847.i = mul nsw i64 %.735.0299.i, %.91.i
  %.849.i = getelementptr float, ptr %18, i64 %.847.i
  tail call void @llvm.experimental.noalias.scope.decl(metadata !112)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !115)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !117)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !119)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !121)
  br i1 %.10760.not.i.i, label %_update_row.44.exit.i, label %B34.if.i282.i

B34.if.i282.i:                                    ; preds = %B612.if.i, %B34.if.i282.i
  %.52.062.i.i = phi i64 [ %.116.i.i, %B34.if.i282.i ], [ %23, %B612.if.i ]
  %.49.061.i.i = phi i64 [ %.120.i.i, %B34.if.i282.i ], [ 0, %B612.if.i ]
  %.116.i.i = add nsw i64 %.52.062.i.i, -1
  %.120.i.i = add nuw nsw i64 %.49.061.i.i, 1
  %.150.i.i = getelementptr float, ptr %.849.i, i64 %.49.061.i.i
  %.151.i.i = load float, ptr %.150.i.i, align 4, !alias.scope !123, !noalias !124
  %.154.i283.i = getelementptr float, ptr %6, i64 %.49.061.i.i
  %.155.i.i = load float, ptr %.154.i283.i, align 4, !alias.scope !126, !noalias !127
  %.156.i.i = fmul contract float %.151.i.i, %.155.i.i
  %.159.i.i = getelementptr float, ptr %.836.i, i64 %.49.061.i.i
  %.160.i.i = load float, ptr %.159.i.i, align 4, !alias.scope !128, !noalias !129
  %.161.i.i = fadd contract float %.156.i.i, %.160.i.i
  %.164.i.i = add nuw nsw i64 %.49.061.i.i, %23
  %.166.i.i = getelementptr float, ptr %.849.i, i64 %.164.i.i
  %.167.i.i = load float, ptr %.166.i.i, align 4, !alias.scope !123, !noalias !124
  %.172.i.i = getelementptr float, ptr %6, i64 %.164.i.i
  %.173.i.i = load float, ptr %.172.i.i, align 4, !alias.scope !126, !noalias !127
  %.174.i.i = fmul contract float %.167.i.i, %.173.i.i
  %.179.i.i = getelementptr float, ptr %.836.i, i64 %.164.i.i
  %.180.i.i = load float, ptr %.179.i.i, align 4, !alias.scope !128, !noalias !129
  %.181.i.i = fadd contract float %.174.i.i, %.180.i.i
  %.185.i.i = add nuw nsw i64 %.49.061.i.i, %.183.i.i
  %.187.i.i = getelementptr float, ptr %.849.i, i64 %.185.i.i
  %.188.i.i = load float, ptr %.187.i.i, align 4, !alias.scope !123, !noalias !124
  %.194.i.i = getelementptr float, ptr %6, i64 %.185.i.i
  %.195.i.i = load float, ptr %.194.i.i, align 4, !alias.scope !126, !noalias !127
  %.196.i.i = fmul contract float %.188.i.i, %.195.i.i
  %.202.i284.i = getelementptr float, ptr %.836.i, i64 %.185.i.i
  %.203.i.i = load float, ptr %.202.i284.i, align 4, !alias.scope !128, !noalias !129
  %.204.i.i = fadd contract float %.196.i.i, %.203.i.i
  %.208.i.i = add nuw nsw i64 %.49.061.i.i, %.206.i281.i
  %.210.i.i = getelementptr float, ptr %.849.i, i64 %.208.i.i
  %.211.i.i = load float, ptr %.210.i.i, align 4, !alias.scope !123, !noalias !124
  %.217.i.i = getelementptr float, ptr %6, i64 %.208.i.i
  %.218.i.i = load float, ptr %.217.i.i, align 4, !alias.scope !126, !noalias !127
  %.219.i.i = fmul contract float %.211.i.i, %.218.i.i
  %.225.i.i = getelementptr float, ptr %.836.i, i64 %.208.i.i
  %.226.i.i = load float, ptr %.225.i.i, align 4, !alias.scope !128, !noalias !129
  %.227.i.i = fadd contract float %.219.i.i, %.226.i.i
  %.236.i.i = getelementptr float, ptr %.840.i, i64 %.49.061.i.i
  %.237.i.i = load float, ptr %.236.i.i, align 4, !alias.scope !130, !noalias !131
  %.259.i.i = fcmp contract ogt float %.161.i.i, 2.800000e+01
  %.252.i.i = fneg contract float %.161.i.i
  %_next_cell_v45_exp_v46__exp_parts_v47__vphi74_0.2.1.i.i = select i1 %.259.i.i, float -2.800000e+01, float %.252.i.i
  %.282.i.i = fcmp contract ogt float %_next_cell_v45_exp_v46__exp_parts_v47__vphi74_0.2.1.i.i, 2.800000e+01
  %_next_cell_v45_exp_v46__exp_parts_v47__vphi146_0.2.1.i.i = select i1 %.282.i.i, float 2.800000e+01, float %_next_cell_v45_exp_v46__exp_parts_v47__vphi74_0.2.1.i.i
  %.301.i.i = fmul contract float %_next_cell_v45_exp_v46__exp_parts_v47__vphi146_0.2.1.i.i, 0x3FF7154760000000
  %.303.i.i = fadd contract float %.301.i.i, 0x4168000FE0000000
  %.305.i.i = fadd contract float %.303.i.i, 0xC168000FE0000000
  %.307.i.i = fmul contract float %.305.i.i, 0x3FE6300000000000
  %.308.i.i = fsub contract float %_next_cell_v45_exp_v46__exp_parts_v47__vphi146_0.2.1.i.i, %.307.i.i
  %.310.i.i = fmul contract float %.305.i.i, 0x3F2BD01060000000
  %33 = fadd contract float %.310.i.i, %.308.i.i
  %.313.i.i = fmul contract float %33, 0x3F2A0D2CE0000000
  %.315.i.i = fadd contract float %.313.i.i, 0x3F56E879C0000000
  %.316.i.i = fmul contract float %33, %.315.i.i
  %.318.i.i = fadd contract float %.316.i.i, 0x3F81112100000000
  %.319.i.i = fmul contract float %33, %.318.i.i
  %.321.i.i = fadd contract float %.319.i.i, 0x3FA5553820000000
  %.322.i.i = fmul contract float %33, %.321.i.i
  %.324.i.i = fadd contract float %.322.i.i, 0x3FC5555540000000
  %.325.i.i = fmul contract float %33, %.324.i.i
  %.327.i.i = fadd contract float %.325.i.i, 5.000000e-01
  %.328.i.i = fmul contract float %33, %33
  %.329.i.i = fmul contract float %.328.i.i, %.327.i.i
  %.330.i.i = fadd contract float %33, %.329.i.i
  %.331.i.i = bitcast float %.303.i.i to i32
  %.335.i.i = shl i32 %.331.i.i, 23
  %.337.i.i = bitcast i32 %.335.i.i to float
  %.359.i.i = fadd contract float %.330.i.i, 1.000000e+00
  %.360.i.i = fmul contract float %.359.i.i, %.337.i.i
  %.366.i.i = fmul contract float %.181.i.i, -2.000000e+00
  %.375.i.i = fcmp contract olt float %.366.i.i, -2.800000e+01
  %_next_cell_v45_exp_v48__exp_parts_v49__vphi74_0.2.1.i.i = select i1 %.375.i.i, float -2.800000e+01, float %.366.i.i
  %.398.i.i = fcmp contract ogt float %_next_cell_v45_exp_v48__exp_parts_v49__vphi74_0.2.1.i.i, 2.800000e+01
  %_next_cell_v45_exp_v48__exp_parts_v49__vphi146_0.2.1.i.i = select i1 %.398.i.i, float 2.800000e+01, float %_next_cell_v45_exp_v48__exp_parts_v49__vphi74_0.2.1.i.i
  %.417.i.i = fmul contract float %_next_cell_v45_exp_v48__exp_parts_v49__vphi146_0.2.1.i.i, 0x3FF7154760000000
  %.419.i.i = fadd contract float %.417.i.i, 0x4168000FE0000000
  %.421.i.i = fadd contract float %.419.i.i, 0xC168000FE0000000
  %.423.i.i = fmul contract float %.421.i.i, 0x3FE6300000000000
  %.424.i.i = fsub contract float %_next_cell_v45_exp_v48__exp_parts_v49__vphi146_0.2.1.i.i, %.423.i.i
  %.426.i.i = fmul contract float %.421.i.i, 0x3F2BD01060000000
  %34 = fadd contract float %.426.i.i, %.424.i.i
  %.429.i.i = fmul contract float %34, 0x3F2A0D2CE0000000
  %.431.i.i = fadd contract float %.429.i.i, 0x3F56E879C0000000
  %.432.i.i = fmul contract float %34, %.431.i.i
  %.434.i.i = fadd contract float %.432.i.i, 0x3F81112100000000
  %.435.i.i = fmul contract float %34, %.434.i.i
  %.437.i.i = fadd contract float %.435.i.i, 0x3FA5553820000000
  %.438.i.i = fmul contract float %34, %.437.i.i
  %.440.i.i = fadd contract float %.438.i.i, 0x3FC5555540000000
  %.441.i.i = fmul contract float %34, %.440.i.i
  %.443.i.i = fadd contract float %.441.i.i, 5.000000e-01
  %.444.i.i = fmul contract float %34, %34
  %.445.i.i = fmul contract float %.444.i.i, %.443.i.i
  %.446.i.i = fadd contract float %34, %.445.i.i
  %.447.i.i = bitcast float %.419.i.i to i32
  %.451.i.i = shl i32 %.447.i.i, 23
  %.453.i.i = bitcast i32 %.451.i.i to float
  %.475.i.i = fadd contract float %.446.i.i, 1.000000e+00
  %.476.i.i = fmul contract float %.475.i.i, %.453.i.i
  %.491.i.i = fcmp contract ogt float %.204.i.i, 2.800000e+01
  %.482.i.i = fneg contract float %.204.i.i
  %_next_cell_v45_exp_v50__exp_parts_v51__vphi74_0.2.1.i.i = select i1 %.491.i.i, float -2.800000e+01, float %.482.i.i
  %.514.i.i = fcmp contract ogt float %_next_cell_v45_exp_v50__exp_parts_v51__vphi74_0.2.1.i.i, 2.800000e+01
  %_next_cell_v45_exp_v50__exp_parts_v51__vphi146_0.2.1.i.i = select i1 %.514.i.i, float 2.800000e+01, float %_next_cell_v45_exp_v50__exp_parts_v51__vphi74_0.2.1.i.i
  %.533.i.i = fmul contract float %_next_cell_v45_exp_v50__exp_parts_v51__vphi146_0.2.1.i.i, 0x3FF7154760000000
  %.535.i.i = fadd contract float %.533.i.i, 0x4168000FE0000000
  %.537.i.i = fadd contract float %.535.i.i, 0xC168000FE0000000
  %.539.i.i = fmul contract float %.537.i.i, 0x3FE6300000000000
  %.540.i.i = fsub contract float %_next_cell_v45_exp_v50__exp_parts_v51__vphi146_0.2.1.i.i, %.539.i.i
  %.542.i.i = fmul contract float %.537.i.i, 0x3F2BD01060000000
  %35 = fadd contract float %.542.i.i, %.540.i.i
  %.545.i.i = fmul contract float %35, 0x3F2A0D2CE0000000
  %.547.i.i = fadd contract float %.545.i.i, 0x3F56E879C0000000
  %.548.i.i = fmul contract float %35, %.547.i.i
  %.550.i.i = fadd contract float %.548.i.i, 0x3F81112100000000
  %.551.i.i = fmul contract float %35, %.550.i.i
  %.553.i.i = fadd contract float %.551.i.i, 0x3FA5553820000000
  %.554.i.i = fmul contract float %35, %.553.i.i
  %.556.i.i = fadd contract float %.554.i.i, 0x3FC5555540000000
  %.557.i.i = fmul contract float %35, %.556.i.i
  %.559.i.i = fadd contract float %.557.i.i, 5.000000e-01
  %.560.i.i = fmul contract float %35, %35
  %.561.i.i = fmul contract float %.560.i.i, %.559.i.i
  %.562.i.i = fadd contract float %35, %.561.i.i
  %.563.i.i = bitcast float %.535.i.i to i32
  %.567.i.i = shl i32 %.563.i.i, 23
  %.569.i.i = bitcast i32 %.567.i.i to float
  %.591.i.i = fadd contract float %.562.i.i, 1.000000e+00
  %.592.i.i = fmul contract float %.591.i.i, %.569.i.i
  %.600.i.i = fadd contract float %.360.i.i, 1.000000e+00
  %.602.i.i = fadd contract float %.476.i.i, 1.000000e+00
  %.603.i.i = fmul contract float %.600.i.i, %.602.i.i
  %.605.i.i = fadd contract float %.592.i.i, 1.000000e+00
  %.608.i.i = fmul contract float %.237.i.i, %.603.i.i
  %.612.i.i = fsub contract float 1.000000e+00, %.476.i.i
  %.613.i.i = fmul contract float %.612.i.i, %.605.i.i
  %.614.i.i = fadd contract float %.608.i.i, %.613.i.i
  %.615.i.i = fmul contract float %.603.i.i, %.605.i.i
  %.619.i.i = fdiv contract float %.614.i.i, %.615.i.i
  %.632.i.i = fcmp contract olt float %.619.i.i, %.630.i.i
  %_next_cell_v45_clipped_v52__vphi26_0.2.1.i.i = select i1 %.632.i.i, float %.630.i.i, float %.619.i.i
  %.656.i.i = fcmp contract ogt float %_next_cell_v45_clipped_v52__vphi26_0.2.1.i.i, %24
  %_next_cell_v45_clipped_v52__vphi46_0.2.1.i.i = select i1 %.656.i.i, float %24, float %_next_cell_v45_clipped_v52__vphi26_0.2.1.i.i
  store float %_next_cell_v45_clipped_v52__vphi46_0.2.1.i.i, ptr %.236.i.i, align 4, !alias.scope !130, !noalias !131
  %.697.i.i = fcmp contract ogt float %.227.i.i, 2.800000e+01
  %.690.i.i = fneg contract float %.227.i.i
  %_cell_output_v53_exp_v54__exp_parts_v55__vphi74_0.2.1.i.i = select i1 %.697.i.i, float -2.800000e+01, float %.690.i.i
  %.720.i.i = fcmp contract ogt float %_cell_output_v53_exp_v54__exp_parts_v55__vphi74_0.2.1.i.i, 2.800000e+01
  %_cell_output_v53_exp_v54__exp_parts_v55__vphi146_0.2.1.i.i = select i1 %.720.i.i, float 2.800000e+01, float %_cell_output_v53_exp_v54__exp_parts_v55__vphi74_0.2.1.i.i
  %.739.i.i = fmul contract float %_cell_output_v53_exp_v54__exp_parts_v55__vphi146_0.2.1.i.i, 0x3FF7154760000000
  %.741.i.i = fadd contract float %.739.i.i, 0x4168000FE0000000
  %.743.i.i = fadd contract float %.741.i.i, 0xC168000FE0000000
  %.745.i.i = fmul contract float %.743.i.i, 0x3FE6300000000000
  %.746.i.i = fsub contract float %_cell_output_v53_exp_v54__exp_parts_v55__vphi146_0.2.1.i.i, %.745.i.i
  %.748.i.i = fmul contract float %.743.i.i, 0x3F2BD01060000000
  %36 = fadd contract float %.748.i.i, %.746.i.i
  %.751.i.i = fmul contract float %36, 0x3F2A0D2CE0000000
  %.753.i.i = fadd contract float %.751.i.i, 0x3F56E879C0000000
  %.754.i.i = fmul contract float %36, %.753.i.i
  %.756.i.i = fadd contract float %.754.i.i, 0x3F81112100000000
  %.757.i.i = fmul contract float %36, %.756.i.i
  %.759.i.i = fadd contract float %.757.i.i, 0x3FA5553820000000
  %.760.i.i = fmul contract float %36, %.759.i.i
  %.762.i.i = fadd contract float %.760.i.i, 0x3FC5555540000000
  %.763.i.i = fmul contract float %36, %.762.i.i
  %.765.i.i = fadd contract float %.763.i.i, 5.000000e-01
  %.766.i.i = fmul contract float %36, %36
  %.767.i.i = fmul contract float %.766.i.i, %.765.i.i
  %.768.i.i = fadd contract float %36, %.767.i.i
  %.769.i.i = bitcast float %.741.i.i to i32
  %.773.i.i = shl i32 %.769.i.i, 23
  %.775.i.i = bitcast i32 %.773.i.i to float
  %.797.i.i = fadd contract float %.768.i.i, 1.000000e+00
  %.798.i.i = fmul contract float %.797.i.i, %.775.i.i
  %.805.i.i = fmul contract float %_next_cell_v45_clipped_v52__vphi46_0.2.1.i.i, -2.000000e+00
  %.814.i.i = fcmp contract olt float %.805.i.i, -2.800000e+01
  %_cell_output_v53_exp_v56__exp_parts_v57__vphi74_0.2.1.i.i = select i1 %.814.i.i, float -2.800000e+01, float %.805.i.i
  %.837.i.i = fcmp contract ogt float %_cell_output_v53_exp_v56__exp_parts_v57__vphi74_0.2.1.i.i, 2.800000e+01
  %_cell_output_v53_exp_v56__exp_parts_v57__vphi146_0.2.1.i.i = select i1 %.837.i.i, float 2.800000e+01, float %_cell_output_v53_exp_v56__exp_parts_v57__vphi74_0.2.1.i.i
  %.856.i.i = fmul contract float %_cell_output_v53_exp_v56__exp_parts_v57__vphi146_0.2.1.i.i, 0x3FF7154760000000
  %.858.i.i = fadd contract float %.856.i.i, 0x4168000FE0000000
  %.860.i.i = fadd contract float %.858.i.i, 0xC168000FE0000000
  %.862.i.i = fmul contract float %.860.i.i, 0x3FE6300000000000
  %.863.i.i = fsub contract float %_cell_output_v53_exp_v56__exp_parts_v57__vphi146_0.2.1.i.i, %.862.i.i
  %.865.i.i = fmul contract float %.860.i.i, 0x3F2BD01060000000
  %37 = fadd contract float %.865.i.i, %.863.i.i
  %.868.i.i = fmul contract float %37, 0x3F2A0D2CE0000000
  %.870.i.i = fadd contract float %.868.i.i, 0x3F56E879C0000000
  %.871.i.i = fmul contract float %37, %.870.i.i
  %.873.i.i = fadd contract float %.871.i.i, 0x3F81112100000000
  %.874.i.i = fmul contract float %37, %.873.i.i
  %.876.i.i = fadd contract float %.874.i.i, 0x3FA5553820000000
  %.877.i.i = fmul contract float %37, %.876.i.i
  %.879.i.i = fadd contract float %.877.i.i, 0x3FC5555540000000
  %.880.i.i = fmul contract float %37, %.879.i.i
  %.882.i.i = fadd contract float %.880.i.i, 5.000000e-01
  %.883.i.i = fmul contract float %37, %37
  %.884.i.i = fmul contract float %.883.i.i, %.882.i.i
  %.885.i.i = fadd contract float %37, %.884.i.i
  %.886.i.i = bitcast float %.858.i.i to i32
  %.890.i.i = shl i32 %.886.i.i, 23
  %.892.i.i = bitcast i32 %.890.i.i to float
  %.914.i.i = fadd contract float %.885.i.i, 1.000000e+00
  %.915.i.i = fmul contract float %.914.i.i, %.892.i.i
  %.920.i.i = fsub contract float 1.000000e+00, %.915.i.i
  %.922.i.i = fadd contract float %.798.i.i, 1.000000e+00
  %.924.i.i = fadd contract float %.915.i.i, 1.000000e+00
  %.925.i.i = fmul contract float %.922.i.i, %.924.i.i
  %.929.i.i = fdiv contract float %.920.i.i, %.925.i.i
  %.932.i.i = getelementptr float, ptr %.844.i, i64 %.49.061.i.i
  store float %.929.i.i, ptr %.932.i.i, align 4, !alias.scope !132, !noalias !133
  %.107.i285.i = icmp sgt i64 %.52.062.i.i, 1
  br i1 %.107.i285.i, label %B34.if.i282.i, label %_update_row.44.exit.i

_update_row.44.exit.i: ; preds = %B34.if.i282.i, %B612.if.i
  %.791.i = icmp sgt i64 %.738.0300.i, 1
  br i1 %.791.i, label %B612.if.i, label %B820.i

B1032.if.i:                                       ; preds = %_finish_row.58.exit.i, %_copy.3.exit291.i
  %.1021.0303.i = phi i64 [ %.1083.i, %_copy.3.exit291.i ], [ %storemerge272.i, %_finish_row.58.exit.i ]
  %.1018.0302.i = phi i64 [ %.1087.i, %_copy.3.exit291.i ], [ 1, %_finish_row.58.exit.i ]
  %.1083.i = add nsw i64 %.1021.0303.i, -1
  %.1087.i = add nuw i64 %.1018.0302.i, 1
  br i1 %.9234.not.i286.i, label %_copy.3.exit288.i, label %B34.if.preheader.i287.i

B34.if.preheader.i287.i:                          ; preds = %B1032.if.i
  %.1114.i = mul nsw i64 %.1018.0302.i, %22
  %.1116.i = getelementptr float, ptr %12, i64 %.1114.i
  tail call void @llvm.memcpy.p0.p0.i64(ptr align 4 %.1116.i, ptr readonly align 4 %12, i64 %29, i1 false), !alias.scope !134, !noalias !138
  br label %_copy.3.exit288.i

_copy.3.exit288.i: ; preds = %B34.if.preheader.i287.i, %B1032.if.i
  br i1 %.10760.not.i.i, label %_copy.3.exit291.i, label %B34.if.preheader.i290.i

B34.if.preheader.i290.i:                          ; preds = %_copy.3.exit288.i
  %.1145.i = mul nsw i64 %.1018.0302.i, %23
  %.1147.i = getelementptr float, ptr %13, i64 %.1145.i
  tail call void @llvm.memcpy.p0.p0.i64(ptr align 4 %.1147.i, ptr readonly align 4 %13, i64 %.86.i, i1 false), !alias.scope !140, !noalias !144
  br label %_copy.3.exit291.i

_copy.3.exit291.i: ; preds = %B34.if.preheader.i290.i, %_copy.3.exit288.i
  %.1074.i = icmp sgt i64 %.1021.0303.i, 1
  br i1 %.1074.i, label %B1032.if.i, label %B1174.i

read_layer.60.exit: ; preds = %B1174.i, %27
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.smin.i64(i64, i64) #2

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.smax.i64(i64, i64) #2

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite)
declare void @llvm.experimental.noalias.scope.decl(metadata) #3

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: write)
declare void @llvm.memset.p0.i64(ptr writeonly, i8, i64, i1 immarg) #4

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: readwrite)
declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly, ptr noalias readonly, i64, i1 immarg) #5

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)

attributes #0 = { nofree norecurse nosync nounwind memory(argmem: readwrite, inaccessiblemem: readwrite) }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #3 = { nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite) }
attributes #4 = { nocallback nofree nounwind willreturn memory(argmem: write) }
attributes #5 = { nocallback nofree nounwind willreturn memory(argmem: readwrite) }
attributes #6 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }

!0 = !{!"branch_weights", i32 1, i32 99}
!1 = !{!2}
!2 = distinct !{!2, !3, !"_multiply_row.62: %arg.a"}
!3 = distinct !{!3, !"_multiply_row.62"}
!4 = !{!5}
!5 = distinct !{!5, !3, !"_multiply_row.62: %arg.weight"}
!6 = !{!7}
!7 = distinct !{!7, !3, !"_multiply_row.62: %arg.out"}
!8 = !{!9, !5, !7}
!9 = distinct !{!9, !3, !"_multiply_row.62: %retptr"}
!10 = !{!9, !2, !7}
!11 = !{!9, !2, !5}
!12 = !{!13}
!13 = distinct !{!13, !14, !"_multiply_four.84: %arg.a"}
!14 = distinct !{!14, !"_multiply_four.84"}
!15 = !{!16}
!16 = distinct !{!16, !14, !"_multiply_four.84: %arg.b"}
!17 = !{!18}
!18 = distinct !{!18, !14, !"_multiply_four.84: %arg.c"}
!19 = !{!20}
!20 = distinct !{!20, !14, !"_multiply_four.84: %arg.d"}
!21 = !{!22}
!22 = distinct !{!22, !14, !"_multiply_four.84: %arg.weight"}
!23 = !{!24}
!24 = distinct !{!24, !14, !"_multiply_four.84: %arg.out_a"}
!25 = !{!26}
!26 = distinct !{!26, !14, !"_multiply_four.84: %arg.out_b"}
!27 = !{!28}
!28 = distinct !{!28, !14, !"_multiply_four.84: %arg.out_c"}
!29 = !{!30}
!30 = distinct !{!30, !14, !"_multiply_four.84: %arg.out_d"}
!31 = !{!32, !16, !18, !20, !22, !24, !26, !28, !30}
!32 = distinct !{!32, !14, !"_multiply_four.84: %retptr"}
!33 = !{!32, !13, !18, !20, !22, !24, !26, !28, !30}
!34 = !{!32, !13, !16, !20, !22, !24, !26, !28, !30}
!35 = !{!32, !13, !16, !18, !22, !24, !26, !28, !30}
!36 = !{!32, !13, !16, !18, !20, !24, !26, !28, !30}
!37 = !{!32, !13, !16, !18, !20, !22, !26, !28, !30}
!38 = !{!32, !13, !16, !18, !20, !22, !24, !28, !30}
!39 = !{!32, !13, !16, !18, !20, !22, !24, !26, !30}
!40 = !{!32, !13, !16, !18, !20, !22, !24, !26, !28}
!41 = !{!"branch_weights", i32 99, i32 1}
!42 = !{!43}
!43 = distinct !{!43, !44, !"read_layer.60: %arg.starts"}
!44 = distinct !{!44, !"read_layer.60"}
!45 = !{!46}
!46 = distinct !{!46, !44, !"read_layer.60: %arg.bias"}
!47 = !{!48}
!48 = distinct !{!48, !44, !"read_layer.60: %arg.scales"}
!49 = !{!50}
!50 = distinct !{!50, !44, !"read_layer.60: %arg.h"}
!51 = !{!52}
!52 = distinct !{!52, !44, !"read_layer.60: %arg.c"}
!53 = !{!54}
!54 = distinct !{!54, !44, !"read_layer.60: %arg.out"}
!55 = !{!56}
!56 = distinct !{!56, !44, !"read_layer.60: %arg.inputs"}
!57 = !{!58}
!58 = distinct !{!58, !44, !"read_layer.60: %arg.gates"}
!59 = !{!60}
!60 = distinct !{!60, !44, !"read_layer.60: %arg.hidden"}
!61 = !{!62}
!62 = distinct !{!62, !44, !"read_layer.60: %arg.projected"}
!63 = !{!64, !65, !43, !66, !46, !67, !48, !68, !50, !52, !54, !56, !58, !60, !62}
!64 = distinct !{!64, !44, !"read_layer.60: %retptr"}
!65 = distinct !{!65, !44, !"read_layer.60: %arg.x"}
!66 = distinct !{!66, !44, !"read_layer.60: %arg.from_input"}
!67 = distinct !{!67, !44, !"read_layer.60: %arg.from_state"}
!68 = distinct !{!68, !44, !"read_layer.60: %arg.projection"}
!69 = !{!64, !65, !66, !46, !67, !48, !68, !50, !52, !54, !56, !58, !60, !62}
!70 = !{!71, !73, !74, !75, !64, !65, !43, !66, !46, !67, !48, !68, !50, !52, !54, !56, !58, !60, !62}
!71 = distinct !{!71, !72, !"_multiply_state.99: %retptr"}
!72 = distinct !{!72, !"_multiply_state.99"}
!73 = distinct !{!73, !72, !"_multiply_state.99: %arg.x"}
!74 = distinct !{!74, !72, !"_multiply_state.99: %arg.weight"}
!75 = distinct !{!75, !72, !"_multiply_state.99: %arg.out"}
!76 = !{!77, !62}
!77 = distinct !{!77, !78, !"_clear.42: %arg.target"}
!78 = distinct !{!78, !"_clear.42"}
!79 = !{!80, !64, !65, !43, !66, !46, !67, !48, !68, !50, !52, !54, !56, !58, !60}
!80 = distinct !{!80, !78, !"_clear.42: %retptr"}
!81 = !{!82, !84, !85, !86, !64, !65, !43, !66, !46, !67, !48, !68, !50, !52, !54, !56, !58, !60, !62}
!82 = distinct !{!82, !83, !"_multiply_state.99: %retptr"}
!83 = distinct !{!83, !"_multiply_state.99"}
!84 = distinct !{!84, !83, !"_multiply_state.99: %arg.x"}
!85 = distinct !{!85, !83, !"_multiply_state.99: %arg.weight"}
!86 = distinct !{!86, !83, !"_multiply_state.99: %arg.out"}
!87 = !{!88}
!88 = distinct !{!88, !89, !"_finish_row.58: %arg.projected"}
!89 = distinct !{!89, !"_finish_row.58"}
!90 = !{!91}
!91 = distinct !{!91, !89, !"_finish_row.58: %arg.h"}
!92 = !{!93}
!93 = distinct !{!93, !89, !"_finish_row.58: %arg.out"}
!94 = !{!88, !62}
!95 = !{!96, !91, !93, !64, !65, !43, !66, !46, !67, !48, !68, !50, !52, !54, !56, !58, !60}
!96 = distinct !{!96, !89, !"_finish_row.58: %retptr"}
!97 = !{!91, !50}
!98 = !{!96, !88, !93, !64, !65, !43, !66, !46, !67, !48, !68, !52, !54, !56, !58, !60, !62}
!99 = !{!93, !54}
!100 = !{!96, !88, !91, !64, !65, !43, !66, !46, !67, !48, !68, !50, !52, !56, !58, !60, !62}
!101 = !{!102, !104, !46, !56}
!102 = distinct !{!102, !103, !"_copy.3: %arg.source"}
!103 = distinct !{!103, !"_copy.3"}
!104 = distinct !{!104, !103, !"_copy.3: %arg.target"}
!105 = !{!106, !64, !65, !43, !66, !67, !48, !68, !50, !52, !54, !58, !60, !62}
!106 = distinct !{!106, !103, !"_copy.3: %retptr"}
!107 = !{!108, !58}
!108 = distinct !{!108, !109, !"_clear.42: %arg.target"}
!109 = distinct !{!109, !"_clear.42"}
!110 = !{!111, !64, !65, !43, !66, !46, !67, !48, !68, !50, !52, !54, !56, !60, !62}
!111 = distinct !{!111, !109, !"_clear.42: %retptr"}
!112 = !{!113}
!113 = distinct !{!113, !114, !"_update_row.44: %arg.product"}
!114 = distinct !{!114, !"_update_row.44"}
!115 = !{!116}
!116 = distinct !{!116, !114, !"_update_row.44: %arg.scales"}
!117 = !{!118}
!118 = distinct !{!118, !114, !"_update_row.44: %arg.given"}
!119 = !{!120}
!120 = distinct !{!120, !114, !"_update_row.44: %arg.cell"}
!121 = !{!122}
!122 = distinct !{!122, !114, !"_update_row.44: %arg.hidden"}
!123 = !{!113, !58}
!124 = !{!125, !116, !118, !120, !122, !64, !65, !43, !66, !46, !67, !48, !68, !50, !52, !54, !56, !60, !62}
!125 = distinct !{!125, !114, !"_update_row.44: %retptr"}
!126 = !{!116, !48}
!127 = !{!125, !113, !118, !120, !122, !64, !65, !43, !66, !46, !67, !68, !50, !52, !54, !56, !58, !60, !62}
!128 = !{!118, !56}
!129 = !{!125, !113, !116, !120, !122, !64, !65, !43, !66, !46, !67, !48, !68, !50, !52, !54, !58, !60, !62}
!130 = !{!120, !52}
!131 = !{!125, !113, !116, !118, !122, !64, !65, !43, !66, !46, !67, !48, !68, !50, !54, !56, !58, !60, !62}
!132 = !{!122, !60}
!133 = !{!125, !113, !116, !118, !120, !64, !65, !43, !66, !46, !67, !48, !68, !50, !52, !54, !56, !58, !62}
!134 = !{!135, !137, !50}
!135 = distinct !{!135, !136, !"_copy.3: %arg.source"}
!136 = distinct !{!136, !"_copy.3"}
!137 = distinct !{!137, !136, !"_copy.3: %arg.target"}
!138 = !{!139, !64, !65, !43, !66, !46, !67, !48, !68, !52, !54, !56, !58, !60, !62}
!139 = distinct !{!139, !136, !"_copy.3: %retptr"}
!140 = !{!141, !143, !52}
!141 = distinct !{!141, !142, !"_copy.3: %arg.source"}
!142 = distinct !{!142, !"_copy.3"}
!143 = distinct !{!143, !142, !"_copy.3: %arg.target"}
!144 = !{!145, !64, !65, !43, !66, !46, !67, !48, !68, !50, !54, !56, !58, !60, !62}
!145 = distinct !{!145, !142, !"_copy.3: %retptr"}

; loop: read_layer_int8
; ModuleID = '<string>'
source_filename = "<string>"

; Function Attrs: nofree norecurse nosync nounwind memory(argmem: readwrite, inaccessiblemem: readwrite)
define internal fastcc void @multiply.61(ptr noalias nonnull writeonly %retptr, ptr noalias readonly %arg.x, i64 %arg.rows, i64 %arg.size, ptr noalias readonly %arg.weight, i64 %arg.width, ptr noalias %arg.out, i64 %arg.apart, i64 %arg.columns) unnamed_addr #0 {
entry:
  %.30 = add i64 %arg.width, -1
  %.31 = add i64 %.30, %arg.columns
  %.35 = icmp eq i64 %arg.columns, 0
  br i1 %.35, label %B0.endif, label %B0.else, !prof !0

B52.loopexit:                                     ; preds = %B669, %B54.if
  %.155 = icmp sgt i64 %.99.0125, 1
  br i1 %.155, label %B54.if, label %B668

B282:                                             ; preds = %B142.if
  tail call void @llvm.experimental.noalias.scope.decl(metadata !1)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !4)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !6)
  br i1 %.105156.i.not, label %B828.else.if.i, label %B44.if.i

B44.loopexit.i:                                   ; preds = %B294.if.i, %B44.if.i
  %.105.i = icmp sgt i64 %.50.0158.i, 1
  br i1 %.105.i, label %B44.if.i, label %B828.else.if.i

B872.loopexit.i:                                  ; preds = %B960.if.i, %B872.if.i
  %.645.i = icmp sgt i64 %.592.0164.i, 1
  br i1 %.645.i, label %B872.if.i, label %B669

B44.if.i:                                         ; preds = %B282, %B44.loopexit.i
  %.50.0158.i = phi i64 [ %.114.i, %B44.loopexit.i ], [ %.84.i, %B282 ]
  %.47.0157.i = phi i64 [ %.118.i, %B44.loopexit.i ], [ 0, %B282 ]
  %.114.i = add nsw i64 %.50.0158.i, -1
  %.118.i = add nuw i64 %.47.0157.i, 8
  %.144.i = getelementptr float, ptr %.355, i64 %.47.0157.i
  %.145.i = load float, ptr %.144.i, align 4, !alias.scope !1, !noalias !8
  %.148.i = getelementptr i8, ptr %.144.i, i64 4
  %.149.i = load float, ptr %.148.i, align 4, !alias.scope !1, !noalias !8
  %.152.i = getelementptr i8, ptr %.144.i, i64 8
  %.153.i = load float, ptr %.152.i, align 4, !alias.scope !1, !noalias !8
  %.156.i = getelementptr i8, ptr %.144.i, i64 12
  %.157.i = load float, ptr %.156.i, align 4, !alias.scope !1, !noalias !8
  %.160.i = getelementptr i8, ptr %.144.i, i64 16
  %.161.i = load float, ptr %.160.i, align 4, !alias.scope !1, !noalias !8
  %.164.i = getelementptr i8, ptr %.144.i, i64 20
  %.165.i = load float, ptr %.164.i, align 4, !alias.scope !1, !noalias !8
  %.168.i = getelementptr i8, ptr %.144.i, i64 24
  %.169.i = load float, ptr %.168.i, align 4, !alias.scope !1, !noalias !8
  %.172.i = getelementptr i8, ptr %.144.i, i64 28
  %.173.i = load float, ptr %.172.i, align 4, !alias.scope !1, !noalias !8
  %.247.i = mul nsw i64 %.47.0157.i, %arg.width
  %.249.i = getelementptr i16, ptr %.364, i64 %.247.i
  br i1 %.333153.not.i, label %B44.loopexit.i, label %B294.if.i

B294.if.i:                                        ; preds = %B44.if.i, %B294.if.i
  %.280.0155.i = phi i64 [ %.342.i, %B294.if.i ], [ %storemerge152.i, %B44.if.i ]
  %.277.0154.i = phi i64 [ %.346.i, %B294.if.i ], [ 0, %B44.if.i ]
  %.342.i = add nsw i64 %.280.0155.i, -1
  %.346.i = add nuw nsw i64 %.277.0154.i, 1
  %.372.i = getelementptr i16, ptr %.249.i, i64 %.277.0154.i
  %.373.i = load i16, ptr %.372.i, align 2, !alias.scope !4, !noalias !10
  %.377.i = zext i16 %.373.i to i32
  %.378.i = shl nuw i32 %.377.i, 16
  %.380.i = bitcast i32 %.378.i to float
  %.384.i = getelementptr i16, ptr %.372.i, i64 %arg.width
  %.385.i = load i16, ptr %.384.i, align 2, !alias.scope !4, !noalias !10
  %.389.i = zext i16 %.385.i to i32
  %.390.i = shl nuw i32 %.389.i, 16
  %.392.i = bitcast i32 %.390.i to float
  %.397.i = getelementptr i8, ptr %.372.i, i64 %.397.idx.i
  %.398.i = load i16, ptr %.397.i, align 2, !alias.scope !4, !noalias !10
  %.402.i = zext i16 %.398.i to i32
  %.403.i = shl nuw i32 %.402.i, 16
  %.405.i = bitcast i32 %.403.i to float
  %.410.i = getelementptr i8, ptr %.372.i, i64 %.410.idx.i
  %.411.i = load i16, ptr %.410.i, align 2, !alias.scope !4, !noalias !10
  %.415.i = zext i16 %.411.i to i32
  %.416.i = shl nuw i32 %.415.i, 16
  %.418.i = bitcast i32 %.416.i to float
  %.423.i = getelementptr i8, ptr %.372.i, i64 %.423.idx.i
  %.424.i = load i16, ptr %.423.i, align 2, !alias.scope !4, !noalias !10
  %.428.i = zext i16 %.424.i to i32
  %.429.i = shl nuw i32 %.428.i, 16
  %.431.i = bitcast i32 %.429.i to float
  %.436.i = getelementptr i8, ptr %.372.i, i64 %.436.idx.i
  %.437.i = load i16, ptr %.436.i, align 2, !alias.scope !4, !noalias !10
  %.441.i = zext i16 %.437.i to i32
  %.442.i = shl nuw i32 %.441.i, 16
  %.444.i = bitcast i32 %.442.i to float
  %.449.i = getelementptr i8, ptr %.372.i, i64 %.449.idx.i
  %.450.i = load i16, ptr %.449.i, align 2, !alias.scope !4, !noalias !10
  %.454.i = zext i16 %.450.i to i32
  %.455.i = shl nuw i32 %.454.i, 16
  %.457.i = bitcast i32 %.455.i to float
  %.462.i = getelementptr i8, ptr %.372.i, i64 %.462.idx.i
  %.463.i = load i16, ptr %.462.i, align 2, !alias.scope !4, !noalias !10
  %.467.i = zext i16 %.463.i to i32
  %.468.i = shl nuw i32 %.467.i, 16
  %.470.i = bitcast i32 %.468.i to float
  %.472.i = getelementptr float, ptr %gep, i64 %.277.0154.i
  %.473.i = load float, ptr %.472.i, align 4, !alias.scope !6, !noalias !11
  %.478.i = tail call contract float @llvm.fmuladd.f32(float %.145.i, float %.380.i, float %.473.i)
  %.479.i = tail call contract float @llvm.fmuladd.f32(float %.149.i, float %.392.i, float %.478.i)
  %.480.i = tail call contract float @llvm.fmuladd.f32(float %.153.i, float %.405.i, float %.479.i)
  %.481.i = tail call contract float @llvm.fmuladd.f32(float %.157.i, float %.418.i, float %.480.i)
  %.486.i = tail call contract float @llvm.fmuladd.f32(float %.161.i, float %.431.i, float %.481.i)
  %.487.i = tail call contract float @llvm.fmuladd.f32(float %.165.i, float %.444.i, float %.486.i)
  %.488.i = tail call contract float @llvm.fmuladd.f32(float %.169.i, float %.457.i, float %.487.i)
  %.489.i = tail call contract float @llvm.fmuladd.f32(float %.173.i, float %.470.i, float %.488.i)
  store float %.489.i, ptr %.472.i, align 4, !alias.scope !6, !noalias !11
  %.333.i = icmp sgt i64 %.280.0155.i, 1
  br i1 %.333.i, label %B294.if.i, label %B44.loopexit.i

B828.else.if.i:                                   ; preds = %B44.loopexit.i, %B282
  br i1 %.645162.not.i, label %B669, label %B872.if.i

B872.if.i:                                        ; preds = %B828.else.if.i, %B872.loopexit.i
  %.592.0164.i = phi i64 [ %.654.i, %B872.loopexit.i ], [ %.602.i, %B828.else.if.i ]
  %.589.0163.i = phi i64 [ %.658.i, %B872.loopexit.i ], [ %.562.i, %B828.else.if.i ]
  %.654.i = add nsw i64 %.592.0164.i, -1
  %.658.i = add nuw nsw i64 %.589.0163.i, 1
  %.684.i = getelementptr float, ptr %.355, i64 %.589.0163.i
  %.685.i = load float, ptr %.684.i, align 4, !alias.scope !1, !noalias !8
  %.687.i = mul nsw i64 %.589.0163.i, %arg.width
  %.689.i = getelementptr i16, ptr %.364, i64 %.687.i
  br i1 %.776159.not.i, label %B872.loopexit.i, label %B960.if.i

B960.if.i:                                        ; preds = %B872.if.i, %B960.if.i
  %.723.0161.i = phi i64 [ %.785.i, %B960.if.i ], [ %storemerge151.i, %B872.if.i ]
  %.720.0160.i = phi i64 [ %.789.i, %B960.if.i ], [ 0, %B872.if.i ]
  %.785.i = add nsw i64 %.723.0161.i, -1
  %.789.i = add nuw nsw i64 %.720.0160.i, 1
  %.815.i = getelementptr float, ptr %gep, i64 %.720.0160.i
  %.816.i = load float, ptr %.815.i, align 4, !alias.scope !6, !noalias !11
  %.818.i = getelementptr i16, ptr %.689.i, i64 %.720.0160.i
  %.819.i = load i16, ptr %.818.i, align 2, !alias.scope !4, !noalias !10
  %.823.i = zext i16 %.819.i to i32
  %.824.i = shl nuw i32 %.823.i, 16
  %.826.i = bitcast i32 %.824.i to float
  %.828.i = tail call contract float @llvm.fmuladd.f32(float %.685.i, float %.826.i, float %.816.i)
  store float %.828.i, ptr %.815.i, align 4, !alias.scope !6, !noalias !11
  %.776.i = icmp sgt i64 %.723.0161.i, 1
  br i1 %.776.i, label %B960.if.i, label %B872.loopexit.i

B324:                                             ; preds = %B142.if
  %.424 = getelementptr float, ptr %.355, i64 %arg.size
  %.426 = add nsw i64 %.375, -1
  %.13.i = tail call i64 @llvm.smin.i64(i64 %.426, i64 2)
  %.13.i107 = tail call i64 @llvm.smin.i64(i64 %.426, i64 3)
  %.456 = mul nsw i64 %.13.i, %arg.size
  %.458 = getelementptr float, ptr %.355, i64 %.456
  %.492 = mul nsw i64 %.13.i107, %arg.size
  %.494 = getelementptr float, ptr %.355, i64 %.492
  %.497 = getelementptr float, ptr %gep, i64 %arg.apart
  %.501 = getelementptr i8, ptr %gep, i64 %.501.idx
  %.505 = getelementptr i8, ptr %gep, i64 %.505.idx
  tail call void @llvm.experimental.noalias.scope.decl(metadata !12)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !15)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !17)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !19)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !21)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !23)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !25)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !27)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !29)
  br i1 %.123152.i.not, label %B934.else.if.i, label %B44.if.i113

B44.loopexit.i118:                                ; preds = %B470.if.i, %B44.if.i113
  %.123.i = icmp sgt i64 %.68.0154.i, 1
  br i1 %.123.i, label %B44.if.i113, label %B934.else.if.i

B978.loopexit.i:                                  ; preds = %B1120.if.i, %B978.if.i
  %.762.i = icmp sgt i64 %.709.0160.i, 1
  br i1 %.762.i, label %B978.if.i, label %B669

B44.if.i113:                                      ; preds = %B324, %B44.loopexit.i118
  %.68.0154.i = phi i64 [ %.132.i, %B44.loopexit.i118 ], [ %.102.i, %B324 ]
  %.65.0153.i = phi i64 [ %.136.i, %B44.loopexit.i118 ], [ 0, %B324 ]
  %.132.i = add nsw i64 %.68.0154.i, -1
  %.136.i = add nuw i64 %.65.0153.i, 4
  %.162.i = getelementptr float, ptr %.355, i64 %.65.0153.i
  %.163.i = load float, ptr %.162.i, align 4, !alias.scope !12, !noalias !31
  %.164.i114 = or disjoint i64 %.65.0153.i, 1
  %.166.i = getelementptr float, ptr %.355, i64 %.164.i114
  %.167.i = load float, ptr %.166.i, align 4, !alias.scope !12, !noalias !31
  %.168.i115 = or disjoint i64 %.65.0153.i, 2
  %.170.i = getelementptr float, ptr %.355, i64 %.168.i115
  %.171.i = load float, ptr %.170.i, align 4, !alias.scope !12, !noalias !31
  %.172.i116 = or disjoint i64 %.65.0153.i, 3
  %.174.i = getelementptr float, ptr %.355, i64 %.172.i116
  %.175.i = load float, ptr %.174.i, align 4, !alias.scope !12, !noalias !31
  %.213.i = getelementptr float, ptr %.424, i64 %.65.0153.i
  %.214.i = load float, ptr %.213.i, align 4, !alias.scope !15, !noalias !33
  %.217.i = getelementptr float, ptr %.424, i64 %.164.i114
  %.218.i = load float, ptr %.217.i, align 4, !alias.scope !15, !noalias !33
  %.221.i = getelementptr float, ptr %.424, i64 %.168.i115
  %.222.i = load float, ptr %.221.i, align 4, !alias.scope !15, !noalias !33
  %.225.i = getelementptr float, ptr %.424, i64 %.172.i116
  %.226.i = load float, ptr %.225.i, align 4, !alias.scope !15, !noalias !33
  %.264.i = getelementptr float, ptr %.458, i64 %.65.0153.i
  %.265.i = load float, ptr %.264.i, align 4, !alias.scope !17, !noalias !34
  %.268.i = getelementptr float, ptr %.458, i64 %.164.i114
  %.269.i = load float, ptr %.268.i, align 4, !alias.scope !17, !noalias !34
  %.272.i = getelementptr float, ptr %.458, i64 %.168.i115
  %.273.i = load float, ptr %.272.i, align 4, !alias.scope !17, !noalias !34
  %.276.i = getelementptr float, ptr %.458, i64 %.172.i116
  %.277.i = load float, ptr %.276.i, align 4, !alias.scope !17, !noalias !34
  %.315.i = getelementptr float, ptr %.494, i64 %.65.0153.i
  %.316.i = load float, ptr %.315.i, align 4, !alias.scope !19, !noalias !35
  %.319.i = getelementptr float, ptr %.494, i64 %.164.i114
  %.320.i = load float, ptr %.319.i, align 4, !alias.scope !19, !noalias !35
  %.323.i = getelementptr float, ptr %.494, i64 %.168.i115
  %.324.i = load float, ptr %.323.i, align 4, !alias.scope !19, !noalias !35
  %.327.i = getelementptr float, ptr %.494, i64 %.172.i116
  %.328.i = load float, ptr %.327.i, align 4, !alias.scope !19, !noalias !35
  %.366.i = mul nsw i64 %.65.0153.i, %arg.width
  %.368.i = getelementptr i16, ptr %.364, i64 %.366.i
  br i1 %.452149.not.i, label %B44.loopexit.i118, label %B470.if.i

B470.if.i:                                        ; preds = %B44.if.i113, %B470.if.i
  %.399.0151.i = phi i64 [ %.461.i, %B470.if.i ], [ %storemerge148.i, %B44.if.i113 ]
  %.396.0150.i = phi i64 [ %.465.i, %B470.if.i ], [ 0, %B44.if.i113 ]
  %.461.i = add nsw i64 %.399.0151.i, -1
  %.465.i = add nuw nsw i64 %.396.0150.i, 1
  %.491.i = getelementptr i16, ptr %.368.i, i64 %.396.0150.i
  %.492.i = load i16, ptr %.491.i, align 2, !alias.scope !21, !noalias !36
  %.496.i = zext i16 %.492.i to i32
  %.497.i = shl nuw i32 %.496.i, 16
  %.499.i = bitcast i32 %.497.i to float
  %.503.i = getelementptr i16, ptr %.491.i, i64 %arg.width
  %.504.i = load i16, ptr %.503.i, align 2, !alias.scope !21, !noalias !36
  %.508.i = zext i16 %.504.i to i32
  %.509.i = shl nuw i32 %.508.i, 16
  %.511.i = bitcast i32 %.509.i to float
  %.516.i = getelementptr i8, ptr %.491.i, i64 %.516.idx.i
  %.517.i = load i16, ptr %.516.i, align 2, !alias.scope !21, !noalias !36
  %.521.i = zext i16 %.517.i to i32
  %.522.i = shl nuw i32 %.521.i, 16
  %.524.i = bitcast i32 %.522.i to float
  %.529.i = getelementptr i8, ptr %.491.i, i64 %.529.idx.i
  %.530.i = load i16, ptr %.529.i, align 2, !alias.scope !21, !noalias !36
  %.534.i = zext i16 %.530.i to i32
  %.535.i = shl nuw i32 %.534.i, 16
  %.537.i = bitcast i32 %.535.i to float
  %.539.i = getelementptr float, ptr %gep, i64 %.396.0150.i
  %.540.i = load float, ptr %.539.i, align 4, !alias.scope !23, !noalias !37
  %.545.i = tail call contract float @llvm.fmuladd.f32(float %.163.i, float %.499.i, float %.540.i)
  %.546.i = tail call contract float @llvm.fmuladd.f32(float %.167.i, float %.511.i, float %.545.i)
  %.547.i = tail call contract float @llvm.fmuladd.f32(float %.171.i, float %.524.i, float %.546.i)
  %.548.i = tail call contract float @llvm.fmuladd.f32(float %.175.i, float %.537.i, float %.547.i)
  store float %.548.i, ptr %.539.i, align 4, !alias.scope !23, !noalias !37
  %.553.i = getelementptr float, ptr %.497, i64 %.396.0150.i
  %.554.i = load float, ptr %.553.i, align 4, !alias.scope !25, !noalias !38
  %.559.i = tail call contract float @llvm.fmuladd.f32(float %.214.i, float %.499.i, float %.554.i)
  %.560.i = tail call contract float @llvm.fmuladd.f32(float %.218.i, float %.511.i, float %.559.i)
  %.561.i = tail call contract float @llvm.fmuladd.f32(float %.222.i, float %.524.i, float %.560.i)
  %.562.i117 = tail call contract float @llvm.fmuladd.f32(float %.226.i, float %.537.i, float %.561.i)
  store float %.562.i117, ptr %.553.i, align 4, !alias.scope !25, !noalias !38
  %.567.i = getelementptr float, ptr %.501, i64 %.396.0150.i
  %.568.i = load float, ptr %.567.i, align 4, !alias.scope !27, !noalias !39
  %.573.i = tail call contract float @llvm.fmuladd.f32(float %.265.i, float %.499.i, float %.568.i)
  %.574.i = tail call contract float @llvm.fmuladd.f32(float %.269.i, float %.511.i, float %.573.i)
  %.575.i = tail call contract float @llvm.fmuladd.f32(float %.273.i, float %.524.i, float %.574.i)
  %.576.i = tail call contract float @llvm.fmuladd.f32(float %.277.i, float %.537.i, float %.575.i)
  store float %.576.i, ptr %.567.i, align 4, !alias.scope !27, !noalias !39
  %.581.i = getelementptr float, ptr %.505, i64 %.396.0150.i
  %.582.i = load float, ptr %.581.i, align 4, !alias.scope !29, !noalias !40
  %.587.i = tail call contract float @llvm.fmuladd.f32(float %.316.i, float %.499.i, float %.582.i)
  %.588.i = tail call contract float @llvm.fmuladd.f32(float %.320.i, float %.511.i, float %.587.i)
  %.589.i = tail call contract float @llvm.fmuladd.f32(float %.324.i, float %.524.i, float %.588.i)
  %.590.i = tail call contract float @llvm.fmuladd.f32(float %.328.i, float %.537.i, float %.589.i)
  store float %.590.i, ptr %.581.i, align 4, !alias.scope !29, !noalias !40
  %.452.i = icmp sgt i64 %.399.0151.i, 1
  br i1 %.452.i, label %B470.if.i, label %B44.loopexit.i118

B934.else.if.i:                                   ; preds = %B44.loopexit.i118, %B324
  br i1 %.762158.not.i, label %B669, label %B978.if.i

B978.if.i:                                        ; preds = %B934.else.if.i, %B978.loopexit.i
  %.709.0160.i = phi i64 [ %.771.i, %B978.loopexit.i ], [ %.719.i, %B934.else.if.i ]
  %.706.0159.i = phi i64 [ %.775.i, %B978.loopexit.i ], [ %.679.i, %B934.else.if.i ]
  %.771.i = add nsw i64 %.709.0160.i, -1
  %.775.i = add nuw nsw i64 %.706.0159.i, 1
  %.801.i = getelementptr float, ptr %.355, i64 %.706.0159.i
  %.802.i = load float, ptr %.801.i, align 4, !alias.scope !12, !noalias !31
  %.804.i = getelementptr float, ptr %.424, i64 %.706.0159.i
  %.805.i = load float, ptr %.804.i, align 4, !alias.scope !15, !noalias !33
  %.807.i = getelementptr float, ptr %.458, i64 %.706.0159.i
  %.808.i = load float, ptr %.807.i, align 4, !alias.scope !17, !noalias !34
  %.810.i = getelementptr float, ptr %.494, i64 %.706.0159.i
  %.811.i = load float, ptr %.810.i, align 4, !alias.scope !19, !noalias !35
  %.813.i = mul nsw i64 %.706.0159.i, %arg.width
  %.815.i111 = getelementptr i16, ptr %.364, i64 %.813.i
  br i1 %.921155.not.i, label %B978.loopexit.i, label %B1120.if.i

B1120.if.i:                                       ; preds = %B978.if.i, %B1120.if.i
  %.868.0157.i = phi i64 [ %.930.i, %B1120.if.i ], [ %storemerge147.i, %B978.if.i ]
  %.865.0156.i = phi i64 [ %.934.i, %B1120.if.i ], [ 0, %B978.if.i ]
  %.930.i = add nsw i64 %.868.0157.i, -1
  %.934.i = add nuw nsw i64 %.865.0156.i, 1
  %.960.i = getelementptr i16, ptr %.815.i111, i64 %.865.0156.i
  %.961.i = load i16, ptr %.960.i, align 2, !alias.scope !21, !noalias !36
  %.965.i = zext i16 %.961.i to i32
  %.966.i = shl nuw i32 %.965.i, 16
  %.968.i = bitcast i32 %.966.i to float
  %.970.i = getelementptr float, ptr %gep, i64 %.865.0156.i
  %.971.i = load float, ptr %.970.i, align 4, !alias.scope !23, !noalias !37
  %.973.i = tail call contract float @llvm.fmuladd.f32(float %.802.i, float %.968.i, float %.971.i)
  store float %.973.i, ptr %.970.i, align 4, !alias.scope !23, !noalias !37
  %.978.i = getelementptr float, ptr %.497, i64 %.865.0156.i
  %.979.i = load float, ptr %.978.i, align 4, !alias.scope !25, !noalias !38
  %.981.i = tail call contract float @llvm.fmuladd.f32(float %.805.i, float %.968.i, float %.979.i)
  store float %.981.i, ptr %.978.i, align 4, !alias.scope !25, !noalias !38
  %.986.i = getelementptr float, ptr %.501, i64 %.865.0156.i
  %.987.i = load float, ptr %.986.i, align 4, !alias.scope !27, !noalias !39
  %.989.i = tail call contract float @llvm.fmuladd.f32(float %.808.i, float %.968.i, float %.987.i)
  store float %.989.i, ptr %.986.i, align 4, !alias.scope !27, !noalias !39
  %.994.i = getelementptr float, ptr %.505, i64 %.865.0156.i
  %.995.i = load float, ptr %.994.i, align 4, !alias.scope !29, !noalias !40
  %.997.i = tail call contract float @llvm.fmuladd.f32(float %.811.i, float %.968.i, float %.995.i)
  store float %.997.i, ptr %.994.i, align 4, !alias.scope !29, !noalias !40
  %.921.i = icmp sgt i64 %.868.0157.i, 1
  br i1 %.921.i, label %B1120.if.i, label %B978.loopexit.i

B668:                                             ; preds = %B52.loopexit, %B0.endif
  store ptr null, ptr %retptr, align 8
  ret void

B669:                                             ; preds = %B978.loopexit.i, %B872.loopexit.i, %B934.else.if.i, %B828.else.if.i
  %.314 = icmp sgt i64 %.260.0122, 1
  br i1 %.314, label %B142.if, label %B52.loopexit

B0.else:                                          ; preds = %entry
  %.46 = icmp ne i64 %.31, -9223372036854775808
  %.47 = icmp ne i64 %arg.columns, -1
  %.48.not = or i1 %.47, %.46
  br i1 %.48.not, label %B0.else.if, label %B0.endif, !prof !41

B0.endif:                                         ; preds = %B0.else.if, %B0.else, %entry
  %quot.0 = phi i64 [ 0, %entry ], [ %3, %B0.else.if ], [ 0, %B0.else ]
  %.155124.not = icmp eq i64 %quot.0, 0
  br i1 %.155124.not, label %B668, label %B54.if.lr.ph

B54.if.lr.ph:                                     ; preds = %B0.endif
  %0 = add nuw i64 %arg.rows, 3
  %.292 = lshr i64 %0, 2
  %.271.inv = icmp sgt i64 %arg.rows, 0
  %storemerge106 = select i1 %.271.inv, i64 %.292, i64 0
  %.314121.not = icmp eq i64 %storemerge106, 0
  %.501.idx = shl i64 %arg.apart, 3
  %.505.idx = mul i64 %arg.apart, 12
  %.79.i = icmp slt i64 %arg.size, 4
  %.41.i = add nsw i64 %arg.size, -3
  %1 = and i64 %.41.i, -9223372036854775805
  %.99.i = icmp sgt i64 %1, 0
  %.100161.i = lshr i64 %.41.i, 2
  %.101.i = zext i1 %.99.i to i64
  %.102.i = add nuw nsw i64 %.100161.i, %.101.i
  %.516.idx.i = shl i64 %arg.width, 2
  %.529.idx.i = mul i64 %arg.width, 6
  %.719.i = and i64 %arg.size, 3
  %.762158.not.i = icmp eq i64 %.719.i, 0
  %.679.i = and i64 %arg.size, -4
  %.61.i = icmp slt i64 %arg.size, 8
  %.23.i = add nsw i64 %arg.size, -7
  %2 = and i64 %.23.i, -9223372036854775801
  %.81.i = icmp sgt i64 %2, 0
  %.82165.i = lshr i64 %.23.i, 3
  %.83.i = zext i1 %.81.i to i64
  %.84.i = add nuw nsw i64 %.82165.i, %.83.i
  %.397.idx.i = shl i64 %arg.width, 2
  %.410.idx.i = mul i64 %arg.width, 6
  %.423.idx.i = shl i64 %arg.width, 3
  %.436.idx.i = mul i64 %arg.width, 10
  %.449.idx.i = mul i64 %arg.width, 12
  %.462.idx.i = mul i64 %arg.width, 14
  %.602.i = and i64 %arg.size, 7
  %.645162.not.i = icmp eq i64 %.602.i, 0
  %.562.i = and i64 %arg.size, -8
  %.123152.i.not130 = icmp eq i64 %.102.i, 0
  %.123152.i.not = select i1 %.79.i, i1 true, i1 %.123152.i.not130
  %.105156.i.not131 = icmp eq i64 %.84.i, 0
  %.105156.i.not = select i1 %.61.i, i1 true, i1 %.105156.i.not131
  br label %B54.if

B0.else.if:                                       ; preds = %B0.else
  %.51 = sdiv i64 %.31, %arg.columns
  %.52 = srem i64 %.31, %arg.columns
  %.53 = xor i64 %.52, %arg.columns
  %.54 = icmp slt i64 %.53, 0
  %.55 = icmp ne i64 %.52, 0
  %.56 = and i1 %.55, %.54
  %.61 = sext i1 %.56 to i64
  %spec.select = add i64 %.51, %.61
  %3 = tail call i64 @llvm.smax.i64(i64 %spec.select, i64 0)
  br label %B0.endif

B54.if:                                           ; preds = %B54.if.lr.ph, %B52.loopexit
  %.96.0126 = phi i64 [ 0, %B54.if.lr.ph ], [ %.168, %B52.loopexit ]
  %.99.0125 = phi i64 [ %quot.0, %B54.if.lr.ph ], [ %.164, %B52.loopexit ]
  %.164 = add nsw i64 %.99.0125, -1
  %.168 = add nuw nsw i64 %.96.0126, 1
  %4 = mul nsw i64 %.96.0126, %arg.columns
  %invariant.gep = getelementptr float, ptr %arg.out, i64 %4
  br i1 %.314121.not, label %B52.loopexit, label %B142.if.lr.ph

B142.if.lr.ph:                                    ; preds = %B54.if
  %.200 = sub nsw i64 %arg.width, %4
  %.13.i119 = tail call i64 @llvm.smin.i64(i64 %.200, i64 %arg.columns)
  %.364 = getelementptr i16, ptr %arg.weight, i64 %4
  %storemerge148.i = tail call i64 @llvm.smax.i64(i64 %.13.i119, i64 0)
  %.452149.not.i = icmp slt i64 %.13.i119, 1
  %storemerge147.i = tail call i64 @llvm.smax.i64(i64 %.13.i119, i64 0)
  %.921155.not.i = icmp slt i64 %.13.i119, 1
  %storemerge152.i = tail call i64 @llvm.smax.i64(i64 %.13.i119, i64 0)
  %.333153.not.i = icmp slt i64 %.13.i119, 1
  %storemerge151.i = tail call i64 @llvm.smax.i64(i64 %.13.i119, i64 0)
  %.776159.not.i = icmp slt i64 %.13.i119, 1
  br label %B142.if

B142.if:                                          ; preds = %B142.if.lr.ph, %B669
  %.257.0123 = phi i64 [ 0, %B142.if.lr.ph ], [ %.327, %B669 ]
  %.260.0122 = phi i64 [ %storemerge106, %B142.if.lr.ph ], [ %.323, %B669 ]
  %.323 = add nsw i64 %.260.0122, -1
  %.327 = add nuw i64 %.257.0123, 4
  %.353 = mul nsw i64 %.257.0123, %arg.size
  %.355 = getelementptr float, ptr %arg.x, i64 %.353
  %.357 = mul nsw i64 %.257.0123, %arg.apart
  %gep = getelementptr float, ptr %invariant.gep, i64 %.357
  %.375 = sub nsw i64 %arg.rows, %.257.0123
  %.380 = icmp eq i64 %.375, 1
  br i1 %.380, label %B282, label %B324
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.fmuladd.f32(float, float, float) #1

; Function Attrs: nofree norecurse nosync nounwind memory(argmem: readwrite, inaccessiblemem: readwrite)
define void @read_layer_int8(ptr noalias readonly %0, ptr noalias readonly %1, i64 %2, ptr noalias readonly %3, ptr noalias readonly %4, ptr noalias readonly %5, ptr noalias readonly %6, ptr noalias readonly %7, ptr noalias readnone %8, ptr noalias readnone %9, ptr noalias readnone %10, ptr noalias readnone %11, ptr noalias %12, ptr noalias %13, ptr noalias writeonly %14, ptr noalias %15, i64 %16, i64 %17, ptr noalias %18, ptr noalias %19, ptr noalias %20, i64 %21, i64 %22, i64 %23, float %24, float %25, i64 %26) local_unnamed_addr #0 {
  %.41.i.i = alloca ptr, align 8
  %.484.i = alloca ptr, align 8
  tail call void @llvm.experimental.noalias.scope.decl(metadata !42)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !45)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !47)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !49)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !51)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !53)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !55)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !57)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !59)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !61)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !63)
  store ptr null, ptr %.484.i, align 8, !noalias !65
  %.86.i = shl i64 %23, 2
  %.91.i = add nsw i64 %.86.i, 272
  %.184302.not.i = icmp slt i64 %2, 1
  br i1 %.184302.not.i, label %read_layer.100.exit, label %B100.if.lr.ph.i

B100.if.lr.ph.i:                                  ; preds = %27
  %.266.i = getelementptr i64, ptr %1, i64 %2
  %.9234.not.i.i = icmp slt i64 %.86.i, 1
  %28 = shl i64 %23, 4
  %.30.i.i.i = add i64 %.86.i, -1
  %.501.idx.i.i.i = shl i64 %.91.i, 3
  %.505.idx.i.i.i = mul i64 %.91.i, 12
  %.79.i.i.i.i = icmp slt i64 %22, 4
  %.41.i.i.i.i = add nsw i64 %22, -3
  %29 = and i64 %.41.i.i.i.i, -9223372036854775805
  %.99.i.i.i.i = icmp sgt i64 %29, 0
  %.100161.i.i.i.i = lshr i64 %.41.i.i.i.i, 2
  %.101.i.i.i.i = zext i1 %.99.i.i.i.i to i64
  %.102.i.i.i.i = add nuw nsw i64 %.100161.i.i.i.i, %.101.i.i.i.i
  %.501.i.i.i.i = shl i64 %23, 3
  %.508.i.i.i.i = mul i64 %23, 12
  %.695.i.i.i.i = and i64 %22, 3
  %.738158.not.i.i.i.i = icmp eq i64 %.695.i.i.i.i, 0
  %.655.i.i.i.i = and i64 %22, -4
  %.61.i.i.i.i = icmp slt i64 %22, 8
  %.23.i.i.i.i = add nsw i64 %22, -7
  %30 = and i64 %.23.i.i.i.i, -9223372036854775801
  %.81.i.i.i.i = icmp sgt i64 %30, 0
  %.82165.i.i.i.i = lshr i64 %.23.i.i.i.i, 3
  %.83.i.i.i.i = zext i1 %.81.i.i.i.i to i64
  %.84.i.i.i.i = add nuw nsw i64 %.82165.i.i.i.i, %.83.i.i.i.i
  %.403.i.i.i.i = mul i64 %23, 20
  %.410.i.i.i.i = mul i64 %23, 24
  %.417.i.i.i.i = mul i64 %23, 28
  %.554.i.i.i.i = and i64 %22, 7
  %.597162.not.i.i.i.i = icmp eq i64 %.554.i.i.i.i, 0
  %.514.i.i.i.i = and i64 %22, -8
  %.123152.i.not128.i.i.i = icmp eq i64 %.102.i.i.i.i, 0
  %.123152.i.not.i.i.i = select i1 %.79.i.i.i.i, i1 true, i1 %.123152.i.not128.i.i.i
  %.105156.i.not129.i.i.i = icmp eq i64 %.84.i.i.i.i, 0
  %.105156.i.not.i.i.i = select i1 %.61.i.i.i.i, i1 true, i1 %.105156.i.not129.i.i.i
  %.10760.not.i.i = icmp slt i64 %23, 1
  %.183.i.i = shl nuw nsw i64 %23, 1
  %.206.i278.i = mul nuw nsw i64 %23, 3
  %.630.i.i = fneg contract float %24
  %.152.i.i = fneg contract float %25
  %.987.not.i = icmp eq i64 %26, 0
  %.1031.i = add i64 %21, -1
  %storemerge272.i = tail call i64 @llvm.smax.i64(i64 %.1031.i, i64 0)
  %.1074299.not307.i = icmp slt i64 %.1031.i, 1
  %.9234.not.i283.i = icmp slt i64 %22, 1
  %31 = shl nuw i64 %22, 2
  br label %B100.if.i

B164.i:                                           ; preds = %B100.if.i
  %.263.i = add nsw i64 %.238.i, %16
  %.267.i = load i64, ptr %.266.i, align 8, !alias.scope !42, !noalias !70
  %.13.i.i = tail call i64 @llvm.smin.i64(i64 %.267.i, i64 %.263.i)
  %.305.i = sub nsw i64 %.13.i.i, %.238.i
  %.385290.not.i = icmp slt i64 %.305.i, 1
  br i1 %.385290.not.i, label %B328.i, label %B254.if.i

B328.i:                                           ; preds = %_copy.3.exit.i, %B164.i
  %.468.i = mul nsw i64 %.238.i, %22
  %.470.i = getelementptr float, ptr %0, i64 %.468.i
  store ptr null, ptr %.484.i, align 8, !noalias !65
  call fastcc void @multiply.61(ptr %.484.i, ptr readonly %.470.i, i64 %.305.i, i64 %22, ptr readonly %3, i64 %.86.i, ptr %15, i64 %.91.i, i64 %17)
  br label %B412.i

B412.i:                                           ; preds = %B100.if.i, %B328.i
  %first.2.1.i = phi i64 [ %first.3.0305.i, %B100.if.i ], [ %.238.i, %B328.i ]
  %last.3.1.i = phi i64 [ %last.2.0306.i, %B100.if.i ], [ %.13.i.i, %B328.i ]
  %storemerge270.i = tail call i64 @llvm.smax.i64(i64 %.248.i, i64 0)
  %.589293.not.i = icmp slt i64 %.248.i, 1
  br i1 %.589293.not.i, label %B514.i, label %B442.if.i

B514.i:                                           ; preds = %_clear.42.exit276.i, %B412.i
  %.663.i = icmp eq i64 %.248.i, 1
  %.86.arg.dim.i = select i1 %.663.i, i64 %.86.i, i64 %23
  tail call void @llvm.experimental.noalias.scope.decl(metadata !71)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !74)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !76)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !78)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !81)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !83)
  %.31.i.i.i = add i64 %.30.i.i.i, %.86.arg.dim.i
  %.35.i.i.i = icmp eq i64 %.86.arg.dim.i, 0
  br i1 %.35.i.i.i, label %B0.endif.i.i.i, label %B0.else.i.i.i, !prof !0

B52.loopexit.i.i.i:                               ; preds = %B669.i.i.i, %B54.if.i.i.i
  %.155.i.i.i = icmp sgt i64 %.99.0123.i.i.i, 1
  br i1 %.155.i.i.i, label %B54.if.i.i.i, label %_multiply_state.101.exit.i

B282.i.i.i:                                       ; preds = %B142.if.i.i.i
  tail call void @llvm.experimental.noalias.scope.decl(metadata !85)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !88)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !90)
  br i1 %.105156.i.not.i.i.i, label %B828.else.if.i.i.i.i, label %B44.if.i.i.i.i

B44.loopexit.i.i.i.i:                             ; preds = %B294.if.i.i.i.i, %B44.if.i.i.i.i
  %.105.i.i.i.i = icmp sgt i64 %.50.0158.i.i.i.i, 1
  br i1 %.105.i.i.i.i, label %B44.if.i.i.i.i, label %B828.else.if.i.i.i.i

B872.loopexit.i.i.i.i:                            ; preds = %B960.if.i.i.i.i, %B872.if.i.i.i.i
  %.597.i.i.i.i = icmp sgt i64 %.544.0164.i.i.i.i, 1
  br i1 %.597.i.i.i.i, label %B872.if.i.i.i.i, label %B669.i.i.i

B44.if.i.i.i.i:                                   ; preds = %B282.i.i.i, %B44.loopexit.i.i.i.i
  %.50.0158.i.i.i.i = phi i64 [ %.114.i.i.i.i, %B44.loopexit.i.i.i.i ], [ %.84.i.i.i.i, %B282.i.i.i ]
  %.47.0157.i.i.i.i = phi i64 [ %.118.i.i.i.i, %B44.loopexit.i.i.i.i ], [ 0, %B282.i.i.i ]
  %.114.i.i.i.i = add nsw i64 %.50.0158.i.i.i.i, -1
  %.118.i.i.i.i = add nuw i64 %.47.0157.i.i.i.i, 8
  %.144.i.i.i.i = getelementptr float, ptr %.355.i.i.i, i64 %.47.0157.i.i.i.i
  %.145.i.i.i.i = load float, ptr %.144.i.i.i.i, align 4, !alias.scope !92, !noalias !93
  %.148.i.i.i.i = getelementptr i8, ptr %.144.i.i.i.i, i64 4
  %.149.i.i.i.i = load float, ptr %.148.i.i.i.i, align 4, !alias.scope !92, !noalias !93
  %.152.i.i.i.i = getelementptr i8, ptr %.144.i.i.i.i, i64 8
  %.153.i.i.i.i = load float, ptr %.152.i.i.i.i, align 4, !alias.scope !92, !noalias !93
  %.156.i.i.i.i = getelementptr i8, ptr %.144.i.i.i.i, i64 12
  %.157.i.i.i.i = load float, ptr %.156.i.i.i.i, align 4, !alias.scope !92, !noalias !93
  %.160.i.i.i.i = getelementptr i8, ptr %.144.i.i.i.i, i64 16
  %.161.i.i.i.i = load float, ptr %.160.i.i.i.i, align 4, !alias.scope !92, !noalias !93
  %.164.i.i.i.i = getelementptr i8, ptr %.144.i.i.i.i, i64 20
  %.165.i.i.i.i = load float, ptr %.164.i.i.i.i, align 4, !alias.scope !92, !noalias !93
  %.168.i.i.i.i = getelementptr i8, ptr %.144.i.i.i.i, i64 24
  %.169.i.i.i.i = load float, ptr %.168.i.i.i.i, align 4, !alias.scope !92, !noalias !93
  %.172.i.i.i.i = getelementptr i8, ptr %.144.i.i.i.i, i64 28
  %.173.i.i.i.i = load float, ptr %.172.i.i.i.i, align 4, !alias.scope !92, !noalias !93
  %.247.i.i.i.i = mul nsw i64 %.47.0157.i.i.i.i, %.86.i
  %.249.i.i.i.i = getelementptr i8, ptr %.364.i.i.i, i64 %.247.i.i.i.i
  br i1 %.452149.not.i.i.i.i, label %B44.loopexit.i.i.i.i, label %B294.if.i.i.i.i

B294.if.i.i.i.i:                                  ; preds = %B44.if.i.i.i.i, %B294.if.i.i.i.i
  %.280.0155.i.i.i.i = phi i64 [ %.342.i.i.i.i, %B294.if.i.i.i.i ], [ %storemerge148.i.i.i.i, %B44.if.i.i.i.i ]
  %.277.0154.i.i.i.i = phi i64 [ %.346.i.i.i.i, %B294.if.i.i.i.i ], [ 0, %B44.if.i.i.i.i ]
  %.342.i.i.i.i = add nsw i64 %.280.0155.i.i.i.i, -1
  %.346.i.i.i.i = add nuw nsw i64 %.277.0154.i.i.i.i, 1
  %.372.i.i.i.i = getelementptr i8, ptr %.249.i.i.i.i, i64 %.277.0154.i.i.i.i
  %.373.i.i.i.i = load i8, ptr %.372.i.i.i.i, align 1, !alias.scope !97, !noalias !98
  %.374.i.i.i.i = sitofp i8 %.373.i.i.i.i to float
  %.378.i.i.i.i = getelementptr i8, ptr %.372.i.i.i.i, i64 %.86.i
  %.379.i.i.i.i = load i8, ptr %.378.i.i.i.i, align 1, !alias.scope !97, !noalias !98
  %.380.i.i.i.i = sitofp i8 %.379.i.i.i.i to float
  %.385.i.i.i.i = getelementptr i8, ptr %.372.i.i.i.i, i64 %.501.i.i.i.i
  %.386.i.i.i.i = load i8, ptr %.385.i.i.i.i, align 1, !alias.scope !97, !noalias !98
  %.387.i.i.i.i = sitofp i8 %.386.i.i.i.i to float
  %.392.i.i.i.i = getelementptr i8, ptr %.372.i.i.i.i, i64 %.508.i.i.i.i
  %.393.i.i.i.i = load i8, ptr %.392.i.i.i.i, align 1, !alias.scope !97, !noalias !98
  %.394.i.i.i.i = sitofp i8 %.393.i.i.i.i to float
  %.399.i.i.i.i = getelementptr i8, ptr %.372.i.i.i.i, i64 %28
  %.400.i.i.i.i = load i8, ptr %.399.i.i.i.i, align 1, !alias.scope !97, !noalias !98
  %.401.i.i.i.i = sitofp i8 %.400.i.i.i.i to float
  %.406.i.i.i.i = getelementptr i8, ptr %.372.i.i.i.i, i64 %.403.i.i.i.i
  %.407.i.i.i.i = load i8, ptr %.406.i.i.i.i, align 1, !alias.scope !97, !noalias !98
  %.408.i.i.i.i = sitofp i8 %.407.i.i.i.i to float
  %.413.i.i.i.i = getelementptr i8, ptr %.372.i.i.i.i, i64 %.410.i.i.i.i
  %.414.i.i.i.i = load i8, ptr %.413.i.i.i.i, align 1, !alias.scope !97, !noalias !98
  %.415.i.i.i.i = sitofp i8 %.414.i.i.i.i to float
  %.420.i.i.i.i = getelementptr i8, ptr %.372.i.i.i.i, i64 %.417.i.i.i.i
  %.421.i.i.i.i = load i8, ptr %.420.i.i.i.i, align 1, !alias.scope !97, !noalias !98
  %.422.i.i.i.i = sitofp i8 %.421.i.i.i.i to float
  %.424.i.i.i.i = getelementptr float, ptr %gep.i.i.i, i64 %.277.0154.i.i.i.i
  %.425.i.i.i.i = load float, ptr %.424.i.i.i.i, align 4, !alias.scope !99, !noalias !100
  %.430.i.i.i.i = tail call contract float @llvm.fmuladd.f32(float %.145.i.i.i.i, float %.374.i.i.i.i, float %.425.i.i.i.i)
  %.431.i.i.i.i = tail call contract float @llvm.fmuladd.f32(float %.149.i.i.i.i, float %.380.i.i.i.i, float %.430.i.i.i.i)
  %.432.i.i.i.i = tail call contract float @llvm.fmuladd.f32(float %.153.i.i.i.i, float %.387.i.i.i.i, float %.431.i.i.i.i)
  %.433.i.i.i.i = tail call contract float @llvm.fmuladd.f32(float %.157.i.i.i.i, float %.394.i.i.i.i, float %.432.i.i.i.i)
  %.438.i.i.i.i = tail call contract float @llvm.fmuladd.f32(float %.161.i.i.i.i, float %.401.i.i.i.i, float %.433.i.i.i.i)
  %.439.i.i.i.i = tail call contract float @llvm.fmuladd.f32(float %.165.i.i.i.i, float %.408.i.i.i.i, float %.438.i.i.i.i)
  %.440.i.i.i.i = tail call contract float @llvm.fmuladd.f32(float %.169.i.i.i.i, float %.415.i.i.i.i, float %.439.i.i.i.i)
  %.441.i.i.i.i = tail call contract float @llvm.fmuladd.f32(float %.173.i.i.i.i, float %.422.i.i.i.i, float %.440.i.i.i.i)
  store float %.441.i.i.i.i, ptr %.424.i.i.i.i, align 4, !alias.scope !99, !noalias !100
  %.333.i.i.i.i = icmp sgt i64 %.280.0155.i.i.i.i, 1
  br i1 %.333.i.i.i.i, label %B294.if.i.i.i.i, label %B44.loopexit.i.i.i.i

B828.else.if.i.i.i.i:                             ; preds = %B44.loopexit.i.i.i.i, %B282.i.i.i
  br i1 %.597162.not.i.i.i.i, label %B669.i.i.i, label %B872.if.i.i.i.i

B872.if.i.i.i.i:                                  ; preds = %B828.else.if.i.i.i.i, %B872.loopexit.i.i.i.i
  %.544.0164.i.i.i.i = phi i64 [ %.606.i.i.i.i, %B872.loopexit.i.i.i.i ], [ %.554.i.i.i.i, %B828.else.if.i.i.i.i ]
  %.541.0163.i.i.i.i = phi i64 [ %.610.i.i.i.i, %B872.loopexit.i.i.i.i ], [ %.514.i.i.i.i, %B828.else.if.i.i.i.i ]
  %.606.i.i.i.i = add nsw i64 %.544.0164.i.i.i.i, -1
  %.610.i.i.i.i = add nuw nsw i64 %.541.0163.i.i.i.i, 1
  %.636.i.i.i.i = getelementptr float, ptr %.355.i.i.i, i64 %.541.0163.i.i.i.i
  %.637.i.i.i.i = load float, ptr %.636.i.i.i.i, align 4, !alias.scope !92, !noalias !93
  %.639.i.i.i.i = mul nsw i64 %.541.0163.i.i.i.i, %.86.i
  %.641.i.i.i.i = getelementptr i8, ptr %.364.i.i.i, i64 %.639.i.i.i.i
  br i1 %.452149.not.i.i.i.i, label %B872.loopexit.i.i.i.i, label %B960.if.i.i.i.i

B960.if.i.i.i.i:                                  ; preds = %B872.if.i.i.i.i, %B960.if.i.i.i.i
  %.675.0161.i.i.i.i = phi i64 [ %.737.i.i.i.i, %B960.if.i.i.i.i ], [ %storemerge148.i.i.i.i, %B872.if.i.i.i.i ]
  %.672.0160.i.i.i.i = phi i64 [ %.741.i.i.i.i, %B960.if.i.i.i.i ], [ 0, %B872.if.i.i.i.i ]
  %.737.i.i.i.i = add nsw i64 %.675.0161.i.i.i.i, -1
  %.741.i.i.i.i = add nuw nsw i64 %.672.0160.i.i.i.i, 1
  %.767.i.i.i.i = getelementptr float, ptr %gep.i.i.i, i64 %.672.0160.i.i.i.i
  %.768.i.i.i.i = load float, ptr %.767.i.i.i.i, align 4, !alias.scope !99, !noalias !100
  %.770.i.i.i.i = getelementptr i8, ptr %.641.i.i.i.i, i64 %.672.0160.i.i.i.i
  %.771.i.i.i.i = load i8, ptr %.770.i.i.i.i, align 1, !alias.scope !97, !noalias !98
  %.772.i.i.i.i = sitofp i8 %.771.i.i.i.i to float
  %.774.i.i.i.i = tail call contract float @llvm.fmuladd.f32(float %.637.i.i.i.i, float %.772.i.i.i.i, float %.768.i.i.i.i)
  store float %.774.i.i.i.i, ptr %.767.i.i.i.i, align 4, !alias.scope !99, !noalias !100
  %.728.i.i.i.i = icmp sgt i64 %.675.0161.i.i.i.i, 1
  br i1 %.728.i.i.i.i, label %B960.if.i.i.i.i, label %B872.loopexit.i.i.i.i

B324.i.i.i:                                       ; preds = %B142.if.i.i.i
  %.424.i.i.i = getelementptr float, ptr %.355.i.i.i, i64 %22
  %.426.i.i.i = add nsw i64 %.375.i.i.i, -1
  %.13.i.i.i.i = tail call i64 @llvm.smin.i64(i64 %.426.i.i.i, i64 2)
  %.13.i107.i.i.i = tail call i64 @llvm.smin.i64(i64 %.426.i.i.i, i64 3)
  %.456.i.i.i = mul nsw i64 %.13.i.i.i.i, %22
  %.458.i.i.i = getelementptr float, ptr %.355.i.i.i, i64 %.456.i.i.i
  %.492.i.i.i = mul nsw i64 %.13.i107.i.i.i, %22
  %.494.i.i.i = getelementptr float, ptr %.355.i.i.i, i64 %.492.i.i.i
  %.497.i.i.i = getelementptr float, ptr %gep.i.i.i, i64 %.91.i
  %.501.i.i.i = getelementptr i8, ptr %gep.i.i.i, i64 %.501.idx.i.i.i
  %.505.i.i.i = getelementptr i8, ptr %gep.i.i.i, i64 %.505.idx.i.i.i
  tail call void @llvm.experimental.noalias.scope.decl(metadata !101)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !104)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !106)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !108)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !110)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !112)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !114)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !116)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !118)
  br i1 %.123152.i.not.i.i.i, label %B934.else.if.i.i.i.i, label %B44.if.i112.i.i.i

B44.loopexit.i116.i.i.i:                          ; preds = %B470.if.i.i.i.i, %B44.if.i112.i.i.i
  %.123.i.i.i.i = icmp sgt i64 %.68.0154.i.i.i.i, 1
  br i1 %.123.i.i.i.i, label %B44.if.i112.i.i.i, label %B934.else.if.i.i.i.i

B978.loopexit.i.i.i.i:                            ; preds = %B1120.if.i.i.i.i, %B978.if.i.i.i.i
  %.738.i.i.i.i = icmp sgt i64 %.685.0160.i.i.i.i, 1
  br i1 %.738.i.i.i.i, label %B978.if.i.i.i.i, label %B669.i.i.i

B44.if.i112.i.i.i:                                ; preds = %B324.i.i.i, %B44.loopexit.i116.i.i.i
  %.68.0154.i.i.i.i = phi i64 [ %.132.i.i.i.i, %B44.loopexit.i116.i.i.i ], [ %.102.i.i.i.i, %B324.i.i.i ]
  %.65.0153.i.i.i.i = phi i64 [ %.136.i.i.i.i, %B44.loopexit.i116.i.i.i ], [ 0, %B324.i.i.i ]
  %.132.i.i.i.i = add nsw i64 %.68.0154.i.i.i.i, -1
  %.136.i.i.i.i = add nuw i64 %.65.0153.i.i.i.i, 4
  %.162.i.i.i.i = getelementptr float, ptr %.355.i.i.i, i64 %.65.0153.i.i.i.i
  %.163.i.i.i.i = load float, ptr %.162.i.i.i.i, align 4, !alias.scope !120, !noalias !121
  %.164.i113.i.i.i = or disjoint i64 %.65.0153.i.i.i.i, 1
  %.166.i.i.i.i = getelementptr float, ptr %.355.i.i.i, i64 %.164.i113.i.i.i
  %.167.i.i.i.i = load float, ptr %.166.i.i.i.i, align 4, !alias.scope !120, !noalias !121
  %.168.i114.i.i.i = or disjoint i64 %.65.0153.i.i.i.i, 2
  %.170.i.i.i.i = getelementptr float, ptr %.355.i.i.i, i64 %.168.i114.i.i.i
  %.171.i.i.i.i = load float, ptr %.170.i.i.i.i, align 4, !alias.scope !120, !noalias !121
  %.172.i115.i.i.i = or disjoint i64 %.65.0153.i.i.i.i, 3
  %.174.i.i.i.i = getelementptr float, ptr %.355.i.i.i, i64 %.172.i115.i.i.i
  %.175.i.i.i.i = load float, ptr %.174.i.i.i.i, align 4, !alias.scope !120, !noalias !121
  %.213.i.i.i.i = getelementptr float, ptr %.424.i.i.i, i64 %.65.0153.i.i.i.i
  %.214.i.i.i.i = load float, ptr %.213.i.i.i.i, align 4, !alias.scope !123, !noalias !124
  %.217.i.i.i.i = getelementptr float, ptr %.424.i.i.i, i64 %.164.i113.i.i.i
  %.218.i.i.i.i = load float, ptr %.217.i.i.i.i, align 4, !alias.scope !123, !noalias !124
  %.221.i.i.i.i = getelementptr float, ptr %.424.i.i.i, i64 %.168.i114.i.i.i
  %.222.i.i.i.i = load float, ptr %.221.i.i.i.i, align 4, !alias.scope !123, !noalias !124
  %.225.i.i.i.i = getelementptr float, ptr %.424.i.i.i, i64 %.172.i115.i.i.i
  %.226.i.i.i.i = load float, ptr %.225.i.i.i.i, align 4, !alias.scope !123, !noalias !124
  %.264.i.i.i.i = getelementptr float, ptr %.458.i.i.i, i64 %.65.0153.i.i.i.i
  %.265.i.i.i.i = load float, ptr %.264.i.i.i.i, align 4, !alias.scope !125, !noalias !126
  %.268.i.i.i.i = getelementptr float, ptr %.458.i.i.i, i64 %.164.i113.i.i.i
  %.269.i.i.i.i = load float, ptr %.268.i.i.i.i, align 4, !alias.scope !125, !noalias !126
  %.272.i.i.i.i = getelementptr float, ptr %.458.i.i.i, i64 %.168.i114.i.i.i
  %.273.i.i.i.i = load float, ptr %.272.i.i.i.i, align 4, !alias.scope !125, !noalias !126
  %.276.i.i.i.i = getelementptr float, ptr %.458.i.i.i, i64 %.172.i115.i.i.i
  %.277.i.i.i.i = load float, ptr %.276.i.i.i.i, align 4, !alias.scope !125, !noalias !126
  %.315.i.i.i.i = getelementptr float, ptr %.494.i.i.i, i64 %.65.0153.i.i.i.i
  %.316.i.i.i.i = load float, ptr %.315.i.i.i.i, align 4, !alias.scope !127, !noalias !128
  %.319.i.i.i.i = getelementptr float, ptr %.494.i.i.i, i64 %.164.i113.i.i.i
  %.320.i.i.i.i = load float, ptr %.319.i.i.i.i, align 4, !alias.scope !127, !noalias !128
  %.323.i.i.i.i = getelementptr float, ptr %.494.i.i.i, i64 %.168.i114.i.i.i
  %.324.i.i.i.i = load float, ptr %.323.i.i.i.i, align 4, !alias.scope !127, !noalias !128
  %.327.i.i.i.i = getelementptr float, ptr %.494.i.i.i, i64 %.172.i115.i.i.i
  %.328.i.i.i.i = load float, ptr %.327.i.i.i.i, align 4, !alias.scope !127, !noalias !128
  %.366.i.i.i.i = mul nsw i64 %.65.0153.i.i.i.i, %.86.i
  %.368.i.i.i.i = getelementptr i8, ptr %.364.i.i.i, i64 %.366.i.i.i.i
  br i1 %.452149.not.i.i.i.i, label %B44.loopexit.i116.i.i.i, label %B470.if.i.i.i.i

B470.if.i.i.i.i:                                  ; preds = %B44.if.i112.i.i.i, %B470.if.i.i.i.i
  %.399.0151.i.i.i.i = phi i64 [ %.461.i.i.i.i, %B470.if.i.i.i.i ], [ %storemerge148.i.i.i.i, %B44.if.i112.i.i.i ]
  %.396.0150.i.i.i.i = phi i64 [ %.465.i.i.i.i, %B470.if.i.i.i.i ], [ 0, %B44.if.i112.i.i.i ]
  %.461.i.i.i.i = add nsw i64 %.399.0151.i.i.i.i, -1
  %.465.i.i.i.i = add nuw nsw i64 %.396.0150.i.i.i.i, 1
  %.491.i.i.i.i = getelementptr i8, ptr %.368.i.i.i.i, i64 %.396.0150.i.i.i.i
  %.492.i.i.i.i = load i8, ptr %.491.i.i.i.i, align 1, !alias.scope !129, !noalias !130
  %.493.i.i.i.i = sitofp i8 %.492.i.i.i.i to float
  %.497.i.i.i.i = getelementptr i8, ptr %.491.i.i.i.i, i64 %.86.i
  %.498.i.i.i.i = load i8, ptr %.497.i.i.i.i, align 1, !alias.scope !129, !noalias !130
  %.499.i.i.i.i = sitofp i8 %.498.i.i.i.i to float
  %.504.i.i.i.i = getelementptr i8, ptr %.491.i.i.i.i, i64 %.501.i.i.i.i
  %.505.i.i.i.i = load i8, ptr %.504.i.i.i.i, align 1, !alias.scope !129, !noalias !130
  %.506.i.i.i.i = sitofp i8 %.505.i.i.i.i to float
  %.511.i.i.i.i = getelementptr i8, ptr %.491.i.i.i.i, i64 %.508.i.i.i.i
  %.512.i.i.i.i = load i8, ptr %.511.i.i.i.i, align 1, !alias.scope !129, !noalias !130
  %.513.i.i.i.i = sitofp i8 %.512.i.i.i.i to float
  %.515.i.i.i.i = getelementptr float, ptr %gep.i.i.i, i64 %.396.0150.i.i.i.i
  %.516.i.i.i.i = load float, ptr %.515.i.i.i.i, align 4, !alias.scope !131, !noalias !132
  %.521.i.i.i.i = tail call contract float @llvm.fmuladd.f32(float %.163.i.i.i.i, float %.493.i.i.i.i, float %.516.i.i.i.i)
  %.522.i.i.i.i = tail call contract float @llvm.fmuladd.f32(float %.167.i.i.i.i, float %.499.i.i.i.i, float %.521.i.i.i.i)
  %.523.i.i.i.i = tail call contract float @llvm.fmuladd.f32(float %.171.i.i.i.i, float %.506.i.i.i.i, float %.522.i.i.i.i)
  %.524.i.i.i.i = tail call contract float @llvm.fmuladd.f32(float %.175.i.i.i.i, float %.513.i.i.i.i, float %.523.i.i.i.i)
  store float %.524.i.i.i.i, ptr %.515.i.i.i.i, align 4, !alias.scope !131, !noalias !132
  %.529.i.i.i.i = getelementptr float, ptr %.497.i.i.i, i64 %.396.0150.i.i.i.i
  %.530.i.i.i.i = load float, ptr %.529.i.i.i.i, align 4, !alias.scope !133, !noalias !134
  %.535.i.i.i.i = tail call contract float @llvm.fmuladd.f32(float %.214.i.i.i.i, float %.493.i.i.i.i, float %.530.i.i.i.i)
  %.536.i.i.i.i = tail call contract float @llvm.fmuladd.f32(float %.218.i.i.i.i, float %.499.i.i.i.i, float %.535.i.i.i.i)
  %.537.i.i.i.i = tail call contract float @llvm.fmuladd.f32(float %.222.i.i.i.i, float %.506.i.i.i.i, float %.536.i.i.i.i)
  %.538.i.i.i.i = tail call contract float @llvm.fmuladd.f32(float %.226.i.i.i.i, float %.513.i.i.i.i, float %.537.i.i.i.i)
  store float %.538.i.i.i.i, ptr %.529.i.i.i.i, align 4, !alias.scope !133, !noalias !134
  %.543.i.i.i.i = getelementptr float, ptr %.501.i.i.i, i64 %.396.0150.i.i.i.i
  %.544.i.i.i.i = load float, ptr %.543.i.i.i.i, align 4, !alias.scope !135, !noalias !136
  %.549.i.i.i.i = tail call contract float @llvm.fmuladd.f32(float %.265.i.i.i.i, float %.493.i.i.i.i, float %.544.i.i.i.i)
  %.550.i.i.i.i = tail call contract float @llvm.fmuladd.f32(float %.269.i.i.i.i, float %.499.i.i.i.i, float %.549.i.i.i.i)
  %.551.i.i.i.i = tail call contract float @llvm.fmuladd.f32(float %.273.i.i.i.i, float %.506.i.i.i.i, float %.550.i.i.i.i)
  %.552.i.i.i.i = tail call contract float @llvm.fmuladd.f32(float %.277.i.i.i.i, float %.513.i.i.i.i, float %.551.i.i.i.i)
  store float %.552.i.i.i.i, ptr %.543.i.i.i.i, align 4, !alias.scope !135, !noalias !136
  %.557.i.i.i.i = getelementptr float, ptr %.505.i.i.i, i64 %.396.0150.i.i.i.i
  %.558.i.i.i.i = load float, ptr %.557.i.i.i.i, align 4, !alias.scope !137, !noalias !138
  %.563.i.i.i.i = tail call contract float @llvm.fmuladd.f32(float %.316.i.i.i.i, float %.493.i.i.i.i, float %.558.i.i.i.i)
  %.564.i.i.i.i = tail call contract float @llvm.fmuladd.f32(float %.320.i.i.i.i, float %.499.i.i.i.i, float %.563.i.i.i.i)
  %.565.i.i.i.i = tail call contract float @llvm.fmuladd.f32(float %.324.i.i.i.i, float %.506.i.i.i.i, float %.564.i.i.i.i)
  %.566.i.i.i.i = tail call contract float @llvm.fmuladd.f32(float %.328.i.i.i.i, float %.513.i.i.i.i, float %.565.i.i.i.i)
  store float %.566.i.i.i.i, ptr %.557.i.i.i.i, align 4, !alias.scope !137, !noalias !138
  %.452.i.i.i.i = icmp sgt i64 %.399.0151.i.i.i.i, 1
  br i1 %.452.i.i.i.i, label %B470.if.i.i.i.i, label %B44.loopexit.i116.i.i.i

B934.else.if.i.i.i.i:                             ; preds = %B44.loopexit.i116.i.i.i, %B324.i.i.i
  br i1 %.738158.not.i.i.i.i, label %B669.i.i.i, label %B978.if.i.i.i.i

B978.if.i.i.i.i:                                  ; preds = %B934.else.if.i.i.i.i, %B978.loopexit.i.i.i.i
  %.685.0160.i.i.i.i = phi i64 [ %.747.i.i.i.i, %B978.loopexit.i.i.i.i ], [ %.695.i.i.i.i, %B934.else.if.i.i.i.i ]
  %.682.0159.i.i.i.i = phi i64 [ %.751.i.i.i.i, %B978.loopexit.i.i.i.i ], [ %.655.i.i.i.i, %B934.else.if.i.i.i.i ]
  %.747.i.i.i.i = add nsw i64 %.685.0160.i.i.i.i, -1
  %.751.i.i.i.i = add nuw nsw i64 %.682.0159.i.i.i.i, 1
  %.777.i.i.i.i = getelementptr float, ptr %.355.i.i.i, i64 %.682.0159.i.i.i.i
  %.778.i.i.i.i = load float, ptr %.777.i.i.i.i, align 4, !alias.scope !120, !noalias !121
  %.780.i.i.i.i = getelementptr float, ptr %.424.i.i.i, i64 %.682.0159.i.i.i.i
  %.781.i.i.i.i = load float, ptr %.780.i.i.i.i, align 4, !alias.scope !123, !noalias !124
  %.783.i.i.i.i = getelementptr float, ptr %.458.i.i.i, i64 %.682.0159.i.i.i.i
  %.784.i.i.i.i = load float, ptr %.783.i.i.i.i, align 4, !alias.scope !125, !noalias !126
  %.786.i.i.i.i = getelementptr float, ptr %.494.i.i.i, i64 %.682.0159.i.i.i.i
  %.787.i.i.i.i = load float, ptr %.786.i.i.i.i, align 4, !alias.scope !127, !noalias !128
  %.789.i.i.i.i = mul nsw i64 %.682.0159.i.i.i.i, %.86.i
  %.791.i.i.i.i = getelementptr i8, ptr %.364.i.i.i, i64 %.789.i.i.i.i
  br i1 %.452149.not.i.i.i.i, label %B978.loopexit.i.i.i.i, label %B1120.if.i.i.i.i

B1120.if.i.i.i.i:                                 ; preds = %B978.if.i.i.i.i, %B1120.if.i.i.i.i
  %.844.0157.i.i.i.i = phi i64 [ %.906.i.i.i.i, %B1120.if.i.i.i.i ], [ %storemerge148.i.i.i.i, %B978.if.i.i.i.i ]
  %.841.0156.i.i.i.i = phi i64 [ %.910.i.i.i.i, %B1120.if.i.i.i.i ], [ 0, %B978.if.i.i.i.i ]
  %.906.i.i.i.i = add nsw i64 %.844.0157.i.i.i.i, -1
  %.910.i.i.i.i = add nuw nsw i64 %.841.0156.i.i.i.i, 1
  %.936.i.i.i.i = getelementptr i8, ptr %.791.i.i.i.i, i64 %.841.0156.i.i.i.i
  %.937.i.i.i.i = load i8, ptr %.936.i.i.i.i, align 1, !alias.scope !129, !noalias !130
  %.938.i.i.i.i = sitofp i8 %.937.i.i.i.i to float
  %.940.i.i.i.i = getelementptr float, ptr %gep.i.i.i, i64 %.841.0156.i.i.i.i
  %.941.i.i.i.i = load float, ptr %.940.i.i.i.i, align 4, !alias.scope !131, !noalias !132
  %.943.i.i.i.i = tail call contract float @llvm.fmuladd.f32(float %.778.i.i.i.i, float %.938.i.i.i.i, float %.941.i.i.i.i)
  store float %.943.i.i.i.i, ptr %.940.i.i.i.i, align 4, !alias.scope !131, !noalias !132
  %.948.i.i.i.i = getelementptr float, ptr %.497.i.i.i, i64 %.841.0156.i.i.i.i
  %.949.i.i.i.i = load float, ptr %.948.i.i.i.i, align 4, !alias.scope !133, !noalias !134
  %.951.i.i.i.i = tail call contract float @llvm.fmuladd.f32(float %.781.i.i.i.i, float %.938.i.i.i.i, float %.949.i.i.i.i)
  store float %.951.i.i.i.i, ptr %.948.i.i.i.i, align 4, !alias.scope !133, !noalias !134
  %.956.i.i.i.i = getelementptr float, ptr %.501.i.i.i, i64 %.841.0156.i.i.i.i
  %.957.i.i.i.i = load float, ptr %.956.i.i.i.i, align 4, !alias.scope !135, !noalias !136
  %.959.i.i.i.i = tail call contract float @llvm.fmuladd.f32(float %.784.i.i.i.i, float %.938.i.i.i.i, float %.957.i.i.i.i)
  store float %.959.i.i.i.i, ptr %.956.i.i.i.i, align 4, !alias.scope !135, !noalias !136
  %.964.i.i.i.i = getelementptr float, ptr %.505.i.i.i, i64 %.841.0156.i.i.i.i
  %.965.i.i.i.i = load float, ptr %.964.i.i.i.i, align 4, !alias.scope !137, !noalias !138
  %.967.i.i.i.i = tail call contract float @llvm.fmuladd.f32(float %.787.i.i.i.i, float %.938.i.i.i.i, float %.965.i.i.i.i)
  store float %.967.i.i.i.i, ptr %.964.i.i.i.i, align 4, !alias.scope !137, !noalias !138
  %.897.i.i.i.i = icmp sgt i64 %.844.0157.i.i.i.i, 1
  br i1 %.897.i.i.i.i, label %B1120.if.i.i.i.i, label %B978.loopexit.i.i.i.i

B669.i.i.i:                                       ; preds = %B978.loopexit.i.i.i.i, %B872.loopexit.i.i.i.i, %B934.else.if.i.i.i.i, %B828.else.if.i.i.i.i
  %.314.i.i.i = icmp sgt i64 %.260.0120.i.i.i, 1
  br i1 %.314.i.i.i, label %B142.if.i.i.i, label %B52.loopexit.i.i.i

B0.else.i.i.i:                                    ; preds = %B514.i
  %.46.i.i.i = icmp ne i64 %.31.i.i.i, -9223372036854775808
  %.47.i.i.i = icmp ne i64 %.86.arg.dim.i, -1
  %.48.not.i.i.i = or i1 %.47.i.i.i, %.46.i.i.i
  br i1 %.48.not.i.i.i, label %B0.else.if.i.i.i, label %B0.endif.i.i.i, !prof !41

B0.endif.i.i.i:                                   ; preds = %B0.else.if.i.i.i, %B0.else.i.i.i, %B514.i
  %quot.0.i.i.i = phi i64 [ 0, %B514.i ], [ %33, %B0.else.if.i.i.i ], [ 0, %B0.else.i.i.i ]
  %.155122.not.i.i.i = icmp eq i64 %quot.0.i.i.i, 0
  br i1 %.155122.not.i.i.i, label %_multiply_state.101.exit.i, label %B54.if.lr.ph.i.i.i

B54.if.lr.ph.i.i.i:                               ; preds = %B0.endif.i.i.i
  %32 = add nuw i64 %.248.i, 3
  %.292.i.i.i = lshr i64 %32, 2
  %.271.inv.i.i.i = icmp sgt i64 %.248.i, 0
  %storemerge106.i.i.i = select i1 %.271.inv.i.i.i, i64 %.292.i.i.i, i64 0
  %.314119.not.i.i.i = icmp eq i64 %storemerge106.i.i.i, 0
  br label %B54.if.i.i.i

B0.else.if.i.i.i:                                 ; preds = %B0.else.i.i.i
  %.51.i.i.i = sdiv i64 %.31.i.i.i, %.86.arg.dim.i
  %.52.i.i.i = srem i64 %.31.i.i.i, %.86.arg.dim.i
  %.53.i.i.i = xor i64 %.52.i.i.i, %.86.arg.dim.i
  %.54.i.i.i = icmp slt i64 %.53.i.i.i, 0
  %.55.i.i.i = icmp ne i64 %.52.i.i.i, 0
  %.56.i.i.i = and i1 %.55.i.i.i, %.54.i.i.i
  %.61.i.i.i = sext i1 %.56.i.i.i to i64
  %spec.select.i.i.i = add i64 %.51.i.i.i, %.61.i.i.i
  %33 = tail call i64 @llvm.smax.i64(i64 %spec.select.i.i.i, i64 0)
  br label %B0.endif.i.i.i

B54.if.i.i.i:                                     ; preds = %B54.if.lr.ph.i.i.i, %B52.loopexit.i.i.i
  %.96.0124.i.i.i = phi i64 [ 0, %B54.if.lr.ph.i.i.i ], [ %.168.i.i.i, %B52.loopexit.i.i.i ]
  %.99.0123.i.i.i = phi i64 [ %quot.0.i.i.i, %B54.if.lr.ph.i.i.i ], [ %.164.i.i.i, %B52.loopexit.i.i.i ]
  %.164.i.i.i = add nsw i64 %.99.0123.i.i.i, -1
  %.168.i.i.i = add nuw nsw i64 %.96.0124.i.i.i, 1
  %34 = mul nsw i64 %.96.0124.i.i.i, %.86.arg.dim.i
  %invariant.gep.i.i.i = getelementptr float, ptr %18, i64 %34
  br i1 %.314119.not.i.i.i, label %B52.loopexit.i.i.i, label %B142.if.lr.ph.i.i.i

B142.if.lr.ph.i.i.i:                              ; preds = %B54.if.i.i.i
  %.200.i.i.i = sub nsw i64 %.86.i, %34
  %.13.i117.i.i.i = tail call i64 @llvm.smin.i64(i64 %.200.i.i.i, i64 %.86.arg.dim.i)
  %.364.i.i.i = getelementptr i8, ptr %5, i64 %34
  %storemerge148.i.i.i.i = tail call i64 @llvm.smax.i64(i64 %.13.i117.i.i.i, i64 0)
  %.452149.not.i.i.i.i = icmp slt i64 %.13.i117.i.i.i, 1
  br label %B142.if.i.i.i

B142.if.i.i.i:                                    ; preds = %B142.if.lr.ph.i.i.i, %B669.i.i.i
  %.257.0121.i.i.i = phi i64 [ 0, %B142.if.lr.ph.i.i.i ], [ %.327.i.i.i, %B669.i.i.i ]
  %.260.0120.i.i.i = phi i64 [ %storemerge106.i.i.i, %B142.if.lr.ph.i.i.i ], [ %.323.i.i.i, %B669.i.i.i ]
  %.323.i.i.i = add nsw i64 %.260.0120.i.i.i, -1
  %.327.i.i.i = add nuw i64 %.257.0121.i.i.i, 4
  %.353.i.i.i = mul nsw i64 %.257.0121.i.i.i, %22
  %.355.i.i.i = getelementptr float, ptr %12, i64 %.353.i.i.i
  %.357.i.i.i = mul nsw i64 %.257.0121.i.i.i, %.91.i
  %gep.i.i.i = getelementptr float, ptr %invariant.gep.i.i.i, i64 %.357.i.i.i
  %.375.i.i.i = sub nsw i64 %.248.i, %.257.0121.i.i.i
  %.380.i.i.i = icmp eq i64 %.375.i.i.i, 1
  br i1 %.380.i.i.i, label %B282.i.i.i, label %B324.i.i.i

_multiply_state.101.exit.i: ; preds = %B52.loopexit.i.i.i, %B0.endif.i.i.i
  br i1 %.589293.not.i, label %B820.i, label %B612.if.lr.ph.i

B612.if.lr.ph.i:                                  ; preds = %_multiply_state.101.exit.i
  %.831.i = sub i64 %.238.i, %first.2.1.i
  br label %B612.if.i

B820.i:                                           ; preds = %_update_row.44.exit.i, %_multiply_state.101.exit.i
  %.885.i = mul nsw i64 %.248.i, %22
  %.8934.not.i.i = icmp slt i64 %.885.i, 1
  br i1 %.8934.not.i.i, label %_finish_row.58.exit.i.critedge, label %B34.if.preheader.i.i

B34.if.preheader.i.i:                             ; preds = %B820.i
  %35 = shl nuw i64 %.885.i, 2
  tail call void @llvm.memset.p0.i64(ptr align 4 %20, i8 0, i64 %35, i1 false), !alias.scope !139, !noalias !142
  store ptr null, ptr %.41.i.i, align 8, !noalias !144
  call fastcc void @multiply.61(ptr %.41.i.i, ptr readonly %19, i64 %.248.i, i64 %23, ptr readonly %7, i64 %22, ptr %20, i64 %22, i64 %22)
  %.949.i = mul nsw i64 %.238.i, %22
  %.953.i = getelementptr float, ptr %14, i64 %.949.i
  tail call void @llvm.experimental.noalias.scope.decl(metadata !150)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !153)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !155)
  br label %B34.if.i.i

B34.if.i.i:                                       ; preds = %B34.if.preheader.i.i, %B34.if.i.i
  %.43.040.i.i = phi i64 [ %.107.i.i, %B34.if.i.i ], [ %.885.i, %B34.if.preheader.i.i ]
  %.40.039.i.i = phi i64 [ %.111.i.i, %B34.if.i.i ], [ 0, %B34.if.preheader.i.i ]
  %.107.i.i = add nsw i64 %.43.040.i.i, -1
  %.111.i.i = add nuw nsw i64 %.40.039.i.i, 1
  %.142.i.i = getelementptr float, ptr %20, i64 %.40.039.i.i
  %.143.i.i = load float, ptr %.142.i.i, align 4, !alias.scope !157, !noalias !158
  %.154.i.i = fcmp contract olt float %.143.i.i, %.152.i.i
  %.152..143.i.i = select i1 %.154.i.i, float %.152.i.i, float %.143.i.i
  %.178.i.i = fcmp contract ogt float %.152..143.i.i, %25
  %clipped_v59__vphi46_0.2.1.i.i = select i1 %.178.i.i, float %25, float %.152..143.i.i
  %.202.i.i = getelementptr float, ptr %12, i64 %.40.039.i.i
  store float %clipped_v59__vphi46_0.2.1.i.i, ptr %.202.i.i, align 4, !alias.scope !160, !noalias !161
  %.206.i.i = getelementptr float, ptr %.953.i, i64 %.40.039.i.i
  store float %clipped_v59__vphi46_0.2.1.i.i, ptr %.206.i.i, align 4, !alias.scope !162, !noalias !163
  %.98.i.i = icmp sgt i64 %.43.040.i.i, 1
  br i1 %.98.i.i, label %B34.if.i.i, label %_finish_row.58.exit.i

_finish_row.58.exit.i.critedge: ; preds = %B820.i
  store ptr null, ptr %.41.i.i, align 8, !noalias !144
  call fastcc void @multiply.61(ptr %.41.i.i, ptr readonly %19, i64 %.248.i, i64 %23, ptr readonly %7, i64 %22, ptr %20, i64 %22, i64 %22)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !150)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !153)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !155)
  br label %_finish_row.58.exit.i

_finish_row.58.exit.i: ; preds = %B34.if.i.i, %_finish_row.58.exit.i.critedge
  %.990.i = icmp ne i64 %.125.0304.i, 0
  %or.cond.not308.i = or i1 %.987.not.i, %.990.i
  %brmerge.i = select i1 %or.cond.not308.i, i1 true, i1 %.1074299.not307.i
  br i1 %brmerge.i, label %B1174.i, label %B1032.if.i

B1174.i:                                          ; preds = %_copy.3.exit288.i, %_finish_row.58.exit.i
  %.184.i = icmp sgt i64 %.128.0303.i, 1
  br i1 %.184.i, label %B100.if.i, label %read_layer.100.exit

B100.if.i:                                        ; preds = %B1174.i, %B100.if.lr.ph.i
  %last.2.0306.i = phi i64 [ 0, %B100.if.lr.ph.i ], [ %last.3.1.i, %B1174.i ]
  %first.3.0305.i = phi i64 [ 0, %B100.if.lr.ph.i ], [ %first.2.1.i, %B1174.i ]
  %.125.0304.i = phi i64 [ 0, %B100.if.lr.ph.i ], [ %.197.i, %B1174.i ]
  %.128.0303.i = phi i64 [ %2, %B100.if.lr.ph.i ], [ %.193.i, %B1174.i ]
  %.193.i = add nsw i64 %.128.0303.i, -1
  %.197.i = add nuw nsw i64 %.125.0304.i, 1
  %.237.i = getelementptr i64, ptr %1, i64 %.125.0304.i
  %.238.i = load i64, ptr %.237.i, align 8, !alias.scope !42, !noalias !70
  %.242.i = getelementptr i8, ptr %.237.i, i64 8
  %.243.i = load i64, ptr %.242.i, align 8, !alias.scope !42, !noalias !70
  %.248.i = sub nsw i64 %.243.i, %.238.i
  %.253.i = icmp sgt i64 %.243.i, %last.2.0306.i
  br i1 %.253.i, label %B164.i, label %B412.i

B254.if.i:                                        ; preds = %B164.i, %_copy.3.exit.i
  %.329.0292.i = phi i64 [ %.398.i, %_copy.3.exit.i ], [ 0, %B164.i ]
  %.332.0291.i = phi i64 [ %.394.i, %_copy.3.exit.i ], [ %.305.i, %B164.i ]
  %.394.i = add nsw i64 %.332.0291.i, -1
  %.398.i = add nuw nsw i64 %.329.0292.i, 1
  br i1 %.9234.not.i.i, label %_copy.3.exit.i, label %B34.if.preheader.i273.i

B34.if.preheader.i273.i:                          ; preds = %B254.if.i
  %36 = mul nuw nsw i64 %.329.0292.i, %.91.i
  %.427.i = getelementptr float, ptr %15, i64 %36
  tail call void @llvm.memcpy.p0.p0.i64(ptr align 4 %.427.i, ptr readonly align 4 %4, i64 %28, i1 false), !alias.scope !164, !noalias !168
  br label %_copy.3.exit.i

_copy.3.exit.i: ; preds = %B34.if.preheader.i273.i, %B254.if.i
  %.385.i = icmp sgt i64 %.332.0291.i, 1
  br i1 %.385.i, label %B254.if.i, label %B328.i

B442.if.i:                                        ; preds = %B412.i, %_clear.42.exit276.i
  %.533.0295.i = phi i64 [ %.602.i, %_clear.42.exit276.i ], [ 0, %B412.i ]
  %.536.0294.i = phi i64 [ %.598.i, %_clear.42.exit276.i ], [ %storemerge270.i, %B412.i ]
  %.598.i = add nsw i64 %.536.0294.i, -1
  %.602.i = add nuw nsw i64 %.533.0295.i, 1
  br i1 %.9234.not.i.i, label %_clear.42.exit276.i, label %B34.if.preheader.i275.i

B34.if.preheader.i275.i:                          ; preds = %B442.if.i
  %37 = mul nuw nsw i64 %.533.0295.i, %.91.i
  %.631.i = getelementptr float, ptr %18, i64 %37
  tail call void @llvm.memset.p0.i64(ptr align 4 %.631.i, i8 0, i64 %28, i1 false), !alias.scope !170, !noalias !173
  br label %_clear.42.exit276.i

_clear.42.exit276.i: ; preds = %B34.if.preheader.i275.i, %B442.if.i
  %.589.i = icmp sgt i64 %.536.0294.i, 1
  br i1 %.589.i, label %B442.if.i, label %B514.i

B612.if.i:                                        ; preds = %_update_row.44.exit.i, %B612.if.lr.ph.i
  %.738.0298.i = phi i64 [ %storemerge270.i, %B612.if.lr.ph.i ], [ %.800.i, %_update_row.44.exit.i ]
  %.735.0297.i = phi i64 [ 0, %B612.if.lr.ph.i ], [ %.804.i, %_update_row.44.exit.i ]
  %.800.i = add nsw i64 %.738.0298.i, -1
  %.804.i = add nuw nsw i64 %.735.0297.i, 1
  %.832.i = add nsw i64 %.831.i, %.735.0297.i
  %.834.i = mul nsw i64 %.832.i, %.91.i
  %.836.i = getelementptr float, ptr %15, i64 %.834.i
  %.838.i = mul nsw i64 %.735.0297.i, %23
  %.840.i = getelementptr float, ptr %13, i64 %.838.i
  %.844.i = getelementptr float, ptr %19, i64 %.838.i
  %.847.i = mul nsw i64 %.735.0297.i, %.91.i
  %.849.i = getelementptr float, ptr %18, i64 %.847.i
  tail call void @llvm.experimental.noalias.scope.decl(metadata !175)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !178)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !180)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !182)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !184)
  br i1 %.10760.not.i.i, label %_update_row.44.exit.i, label %B34.if.i279.i

B34.if.i279.i:                                    ; preds = %B612.if.i, %B34.if.i279.i
  %.52.062.i.i = phi i64 [ %.116.i.i, %B34.if.i279.i ], [ %23, %B612.if.i ]
  %.49.061.i.i = phi i64 [ %.120.i.i, %B34.if.i279.i ], [ 0, %B612.if.i ]
  %.116.i.i = add nsw i64 %.52.062.i.i, -1
  %.120.i.i = add nuw nsw i64 %.49.061.i.i, 1
  %.150.i.i = getelementptr float, ptr %.849.i, i64 %.49.061.i.i
  %.151.i.i = load float, ptr %.150.i.i, align 4, !alias.scope !186, !noalias !187
  %.154.i280.i = getelementptr float, ptr %6, i64 %.49.061.i.i
  %.155.i.i = load float, ptr %.154.i280.i, align 4, !alias.scope !189, !noalias !190
  %.156.i.i = fmul contract float %.151.i.i, %.155.i.i
  %.159.i.i = getelementptr float, ptr %.836.i, i64 %.49.061.i.i
  %.160.i.i = load float, ptr %.159.i.i, align 4, !alias.scope !191, !noalias !192
  %.161.i.i = fadd contract float %.156.i.i, %.160.i.i
  %.164.i.i = add nuw nsw i64 %.49.061.i.i, %23
  %.166.i.i = getelementptr float, ptr %.849.i, i64 %.164.i.i
  %.167.i.i = load float, ptr %.166.i.i, align 4, !alias.scope !186, !noalias !187
  %.172.i.i = getelementptr float, ptr %6, i64 %.164.i.i
  %.173.i.i = load float, ptr %.172.i.i, align 4, !alias.scope !189, !noalias !190
  %.174.i.i = fmul contract float %.167.i.i, %.173.i.i
  %.179.i.i = getelementptr float, ptr %.836.i, i64 %.164.i.i
  %.180.i.i = load float, ptr %.179.i.i, align 4, !alias.scope !191, !noalias !192
  %.181.i.i = fadd contract float %.174.i.i, %.180.i.i
  %.185.i.i = add nuw nsw i64 %.49.061.i.i, %.183.i.i
  %.187.i.i = getelementptr float, ptr %.849.i, i64 %.185.i.i
  %.188.i.i = load float, ptr %.187.i.i, align 4, !alias.scope !186, !noalias !187
  %.194.i.i = getelementptr float, ptr %6, i64 %.185.i.i
  %.195.i.i = load float, ptr %.194.i.i, align 4, !alias.scope !189, !noalias !190
  %.196.i.i = fmul contract float %.188.i.i, %.195.i.i
  %.202.i281.i = getelementptr float, ptr %.836.i, i64 %.185.i.i
  %.203.i.i = load float, ptr %.202.i281.i, align 4, !alias.scope !191, !noalias !192
  %.204.i.i = fadd contract float %.196.i.i, %.203.i.i
  %.208.i.i = add nuw nsw i64 %.49.061.i.i, %.206.i278.i
  %.210.i.i = getelementptr float, ptr %.849.i, i64 %.208.i.i
  %.211.i.i = load float, ptr %.210.i.i, align 4, !alias.scope !186, !noalias !187
  %.217.i.i = getelementptr float, ptr %6, i64 %.208.i.i
  %.218.i.i = load float, ptr %.217.i.i, align 4, !alias.scope !189, !noalias !190
  %.219.i.i = fmul contract float %.211.i.i, %.218.i.i
  %.225.i.i = getelementptr float, ptr %.836.i, i64 %.208.i.i
  %.226.i.i = load float, ptr %.225.i.i, align 4, !alias.scope !191, !noalias !192
  %.227.i.i = fadd contract float %.219.i.i, %.226.i.i
  %.236.i.i = getelementptr float, ptr %.840.i, i64 %.49.061.i.i
  %.237.i.i = load float, ptr %.236.i.i, align 4, !alias.scope !193, !noalias !194
  %.259.i.i = fcmp contract ogt float %.161.i.i, 2.800000e+01
  %.252.i.i = fneg contract float %.161.i.i
  %_next_cell_v45_exp_v46__exp_parts_v47__vphi74_0.2.1.i.i = select i1 %.259.i.i, float -2.800000e+01, float %.252.i.i
  %.282.i.i = fcmp contract ogt float %_next_cell_v45_exp_v46__exp_parts_v47__vphi74_0.2.1.i.i, 2.800000e+01
  %_next_cell_v45_exp_v46__exp_parts_v47__vphi146_0.2.1.i.i = select i1 %.282.i.i, float 2.800000e+01, float %_next_cell_v45_exp_v46__exp_parts_v47__vphi74_0.2.1.i.i
  %.301.i.i = fmul contract float %_next_cell_v45_exp_v46__exp_parts_v47__vphi146_0.2.1.i.i, 0x3FF7154760000000
  %.303.i.i = fadd contract float %.301.i.i, 0x4168000FE0000000
  %.305.i.i = fadd contract float %.303.i.i, 0xC168000FE0000000
  %.307.i.i = fmul contract float %.305.i.i, 0x3FE6300000000000
  %.308.i.i = fsub contract float %_next_cell_v45_exp_v46__exp_parts_v47__vphi146_0.2.1.i.i, %.307.i.i
  %.310.i.i = fmul contract float %.305.i.i, 0x3F2BD01060000000
  %38 = fadd contract float %.310.i.i, %.308.i.i
  %.313.i.i = fmul contract float %38, 0x3F2A0D2CE0000000
  %.315.i.i = fadd contract float %.313.i.i, 0x3F56E879C0000000
  %.316.i.i = fmul contract float %38, %.315.i.i
  %.318.i.i = fadd contract float %.316.i.i, 0x3F81112100000000
  %.319.i.i = fmul contract float %38, %.318.i.i
  %.321.i.i = fadd contract float %.319.i.i, 0x3FA5553820000000
  %.322.i.i = fmul contract float %38, %.321.i.i
  %.324.i.i = fadd contract float %.322.i.i, 0x3FC5555540000000
  %.325.i.i = fmul contract float %38, %.324.i.i
  %.327.i.i = fadd contract float %.325.i.i, 5.000000e-01
  %.328.i.i = fmul contract float %38, %38
  %.329.i.i = fmul contract float %.328.i.i, %.327.i.i
  %.330.i.i = fadd contract float %38, %.329.i.i
  %.331.i.i = bitcast float %.303.i.i to i32
  %.335.i.i = shl i32 %.331.i.i, 23
  %.337.i.i = bitcast i32 %.335.i.i to float
  %.359.i.i = fadd contract float %.330.i.i, 1.000000e+00
  %.360.i.i = fmul contract float %.359.i.i, %.337.i.i
  %.366.i.i = fmul contract float %.181.i.i, -2.000000e+00
  %.375.i.i = fcmp contract olt float %.366.i.i, -2.800000e+01
  %_next_cell_v45_exp_v48__exp_parts_v49__vphi74_0.2.1.i.i = select i1 %.375.i.i, float -2.800000e+01, float %.366.i.i
  %.398.i.i = fcmp contract ogt float %_next_cell_v45_exp_v48__exp_parts_v49__vphi74_0.2.1.i.i, 2.800000e+01
  %_next_cell_v45_exp_v48__exp_parts_v49__vphi146_0.2.1.i.i = select i1 %.398.i.i, float 2.800000e+01, float %_next_cell_v45_exp_v48__exp_parts_v49__vphi74_0.2.1.i.i
  %.417.i.i = fmul contract float %_next_cell_v45_exp_v48__exp_parts_v49__vphi146_0.2.1.i.i, 0x3FF7154760000000
  %.419.i.i = fadd contract float %.417.i.i, 0x4168000FE0000000
  %.421.i.i = fadd contract float %.419.i.i, 0xC168000FE0000000
  %.423.i.i = fmul contract float %.421.i.i, 0x3FE6300000000000
  %.424.i.i = fsub contract float %_next_cell_v45_exp_v48__exp_parts_v49__vphi146_0.2.1.i.i, %.423.i.i
  %.426.i.i = fmul contract float %.421.i.i, 0x3F2BD01060000000
  %39 = fadd contract float %.426.i.i, %.424.i.i
  %.429.i.i = fmul contract float %39, 0x3F2A0D2CE0000000
  %.431.i.i = fadd contract float %.429.i.i, 0x3F56E879C0000000
  %.432.i.i = fmul contract float %39, %.431.i.i
  %.434.i.i = fadd contract float %.432.i.i, 0x3F81112100000000
  %.435.i.i = fmul contract float %39, %.434.i.i
  %.437.i.i = fadd contract float %.435.i.i, 0x3FA5553820000000
  %.438.i.i = fmul contract float %39, %.437.i.i
  %.440.i.i = fadd contract float %.438.i.i, 0x3FC5555540000000
  %.441.i.i = fmul contract float %39, %.440.i.i
  %.443.i.i = fadd contract float %.441.i.i, 5.000000e-01
  %.444.i.i = fmul contract float %39, %39
  %.445.i.i = fmul contract float %.444.i.i, %.443.i.i
  %.446.i.i = fadd contract float %39, %.445.i.i
  %.447.i.i = bitcast float %.419.i.i to i32
  %.451.i.i = shl i32 %.447.i.i, 23
  %.453.i.i = bitcast i32 %.451.i.i to float
  %.475.i.i = fadd contract float %.446.i.i, 1.000000e+00
  %.476.i.i = fmul contract float %.475.i.i, %.453.i.i
  %.491.i.i = fcmp contract ogt float %.204.i.i, 2.800000e+01
  %.482.i.i = fneg contract float %.204.i.i
  %_next_cell_v45_exp_v50__exp_parts_v51__vphi74_0.2.1.i.i = select i1 %.491.i.i, float -2.800000e+01, float %.482.i.i
  %.514.i.i = fcmp contract ogt float %_next_cell_v45_exp_v50__exp_parts_v51__vphi74_0.2.1.i.i, 2.800000e+01
  %_next_cell_v45_exp_v50__exp_parts_v51__vphi146_0.2.1.i.i = select i1 %.514.i.i, float 2.800000e+01, float %_next_cell_v45_exp_v50__exp_parts_v51__vphi74_0.2.1.i.i
  %.533.i.i = fmul contract float %_next_cell_v45_exp_v50__exp_parts_v51__vphi146_0.2.1.i.i, 0x3FF7154760000000
  %.535.i.i = fadd contract float %.533.i.i, 0x4168000FE0000000
  %.537.i.i = fadd contract float %.535.i.i, 0xC168000FE0000000
  %.539.i.i = fmul contract float %.537.i.i, 0x3FE6300000000000
  %.540.i.i = fsub contract float %_next_cell_v45_exp_v50__exp_parts_v51__vphi146_0.2.1.i.i, %.539.i.i
  %.542.i.i = fmul contract float %.537.i.i, 0x3F2BD01060000000
  %40 = fadd contract float %.542.i.i, %.540.i.i
  %.545.i.i = fmul contract float %40, 0x3F2A0D2CE0000000
  %.547.i.i = fadd contract float %.545.i.i, 0x3F56E879C0000000
  %.548.i.i = fmul contract float %40, %.547.i.i
  %.550.i.i = fadd contract float %.548.i.i, 0x3F81112100000000
  %.551.i.i = fmul contract float %40, %.550.i.i
  %.553.i.i = fadd contract float %.551.i.i, 0x3FA5553820000000
  %.554.i.i = fmul contract float %40, %.553.i.i
  %.556.i.i = fadd contract float %.554.i.i, 0x3FC5555540000000
  %.557.i.i = fmul contract float %40, %.556.i.i
  %.559.i.i = fadd contract float %.557.i.i, 5.000000e-01
  %.560.i.i = fmul contract float %40, %40
  %.561.i.i = fmul contract float %.560.i.i, %.559.i.i
  %.562.i.i = fadd contract float %40, %.561.i.i
  %.563.i.i = bitcast float %.535.i.i to i32
  %.567.i.i = shl i32 %.563.i.i, 23
  %.569.i.i = bitcast i32 %.567.i.i to float
  %.591.i.i = fadd contract float %.562.i.i, 1.000000e+00
  %.592.i.i = fmul contract float %.591.i.i, %.569.i.i
  %.600.i.i = fadd contract float %.360.i.i, 1.000000e+00
  %.602.i.i = fadd contract float %.476.i.i, 1.000000e+00
  %.603.i.i = fmul contract float %.600.i.i, %.602.i.i
  %.605.i.i = fadd contract float %.592.i.i, 1.000000e+00
  %.608.i.i = fmul contract float %.237.i.i, %.603.i.i
  %.612.i.i = fsub contract float 1.000000e+00, %.476.i.i
  %.613.i.i = fmul contract float %.612.i.i, %.605.i.i
  %.614.i.i = fadd contract float %.608.i.i, %.613.i.i
  %.615.i.i = fmul contract float %.603.i.i, %.605.i.i
  %.619.i.i = fdiv contract float %.614.i.i, %.615.i.i
  %.632.i.i = fcmp contract olt float %.619.i.i, %.630.i.i
  %_next_cell_v45_clipped_v52__vphi26_0.2.1.i.i = select i1 %.632.i.i, float %.630.i.i, float %.619.i.i
  %.656.i.i = fcmp contract ogt float %_next_cell_v45_clipped_v52__vphi26_0.2.1.i.i, %24
  %_next_cell_v45_clipped_v52__vphi46_0.2.1.i.i = select i1 %.656.i.i, float %24, float %_next_cell_v45_clipped_v52__vphi26_0.2.1.i.i
  store float %_next_cell_v45_clipped_v52__vphi46_0.2.1.i.i, ptr %.236.i.i, align 4, !alias.scope !193, !noalias !194
  %.697.i.i = fcmp contract ogt float %.227.i.i, 2.800000e+01
  %.690.i.i = fneg contract float %.227.i.i
  %_cell_output_v53_exp_v54__exp_parts_v55__vphi74_0.2.1.i.i = select i1 %.697.i.i, float -2.800000e+01, float %.690.i.i
  %.720.i.i = fcmp contract ogt float %_cell_output_v53_exp_v54__exp_parts_v55__vphi74_0.2.1.i.i, 2.800000e+01
  %_cell_output_v53_exp_v54__exp_parts_v55__vphi146_0.2.1.i.i = select i1 %.720.i.i, float 2.800000e+01, float %_cell_output_v53_exp_v54__exp_parts_v55__vphi74_0.2.1.i.i
  %.739.i.i = fmul contract float %_cell_output_v53_exp_v54__exp_parts_v55__vphi146_0.2.1.i.i, 0x3FF7154760000000
  %.741.i.i = fadd contract float %.739.i.i, 0x4168000FE0000000
  %.743.i.i = fadd contract float %.741.i.i, 0xC168000FE0000000
  %.745.i.i = fmul contract float %.743.i.i, 0x3FE6300000000000
  %.746.i.i = fsub contract float %_cell_output_v53_exp_v54__exp_parts_v55__vphi146_0.2.1.i.i, %.745.i.i
  %.748.i.i = fmul contract float %.743.i.i, 0x3F2BD01060000000
  %41 = fadd contract float %.748.i.i, %.746.i.i
  %.751.i.i = fmul contract float %41, 0x3F2A0D2CE0000000
  %.753.i.i = fadd contract float %.751.i.i, 0x3F56E879C0000000
  %.754.i.i = fmul contract float %41, %.753.i.i
  %.756.i.i = fadd contract float %.754.i.i, 0x3F81112100000000
  %.757.i.i = fmul contract float %41, %.756.i.i
  %.759.i.i = fadd contract float %.757.i.i, 0x3FA5553820000000
  %.760.i.i = fmul contract float %41, %.759.i.i
  %.762.i.i = fadd contract float %.760.i.i, 0x3FC5555540000000
  %.763.i.i = fmul contract float %41, %.762.i.i
  %.765.i.i = fadd contract float %.763.i.i, 5.000000e-01
  %.766.i.i = fmul contract float %41, %41
  %.767.i.i = fmul contract float %.766.i.i, %.765.i.i
  %.768.i.i = fadd contract float %41, %.767.i.i
  %.769.i.i = bitcast float %.741.i.i to i32
  %.773.i.i = shl i32 %.769.i.i, 23
  %.775.i.i = bitcast i32 %.773.i.i to float
  %.797.i.i = fadd contract float %.768.i.i, 1.000000e+00
  %.798.i.i = fmul contract float %.797.i.i, %.775.i.i
  %.805.i.i = fmul contract float %_next_cell_v45_clipped_v52__vphi46_0.2.1.i.i, -2.000000e+00
  %.814.i.i = fcmp contract olt float %.805.i.i, -2.800000e+01
  %_cell_output_v53_exp_v56__exp_parts_v57__vphi74_0.2.1.i.i = select i1 %.814.i.i, float -2.800000e+01, float %.805.i.i
  %.837.i.i = fcmp contract ogt float %_cell_output_v53_exp_v56__exp_parts_v57__vphi74_0.2.1.i.i, 2.800000e+01
  %_cell_output_v53_exp_v56__exp_parts_v57__vphi146_0.2.1.i.i = select i1 %.837.i.i, float 2.800000e+01, float %_cell_output_v53_exp_v56__exp_parts_v57__vphi74_0.2.1.i.i
  %.856.i.i = fmul contract float %_cell_output_v53_exp_v56__exp_parts_v57__vphi146_0.2.1.i.i, 0x3FF7154760000000
  %.858.i.i = fadd contract float %.856.i.i, 0x4168000FE0000000
  %.860.i.i = fadd contract float %.858.i.i, 0xC168000FE0000000
  %.862.i.i = fmul contract float %.860.i.i, 0x3FE6300000000000
  %.863.i.i = fsub contract float %_cell_output_v53_exp_v56__exp_parts_v57__vphi146_0.2.1.i.i, %.862.i.i
  %.865.i.i = fmul contract float %.860.i.i, 0x3F2BD01060000000
  %42 = fadd contract float %.865.i.i, %.863.i.i
  %.868.i.i = fmul contract float %42, 0x3F2A0D2CE0000000
  %.870.i.i = fadd contract float %.868.i.i, 0x3F56E879C0000000
  %.871.i.i = fmul contract float %42, %.870.i.i
  %.873.i.i = fadd contract float %.871.i.i, 0x3F81112100000000
  %.874.i.i = fmul contract float %42, %.873.i.i
  %.876.i.i = fadd contract float %.874.i.i, 0x3FA5553820000000
  %.877.i.i = fmul contract float %42, %.876.i.i
  %.879.i.i = fadd contract float %.877.i.i, 0x3FC5555540000000
  %.880.i.i = fmul contract float %42, %.879.i.i
  %.882.i.i = fadd contract float %.880.i.i, 5.000000e-01
  %.883.i.i = fmul contract float %42, %42
  %.884.i.i = fmul contract float %.883.i.i, %.882.i.i
  %.885.i.i = fadd contract float %42, %.884.i.i
  %.886.i.i = bitcast float %.858.i.i to i32
  %.890.i.i = shl i32 %.886.i.i, 23
  %.892.i.i = bitcast i32 %.890.i.i to float
  %.914.i.i = fadd contract float %.885.i.i, 1.000000e+00
  %.915.i.i = fmul contract float %.914.i.i, %.892.i.i
  %.920.i.i = fsub contract float 1.000000e+00, %.915.i.i
  %.922.i.i = fadd contract float %.798.i.i, 1.000000e+00
  %.924.i.i = fadd contract float %.915.i.i, 1.000000e+00
  %.925.i.i = fmul contract float %.922.i.i, %.924.i.i
  %.929.i.i = fdiv contract float %.920.i.i, %.925.i.i
  %.932.i.i = getelementptr float, ptr %.844.i, i64 %.49.061.i.i
  store float %.929.i.i, ptr %.932.i.i, align 4, !alias.scope !195, !noalias !196
  %.107.i282.i = icmp sgt i64 %.52.062.i.i, 1
  br i1 %.107.i282.i, label %B34.if.i279.i, label %_update_row.44.exit.i

_update_row.44.exit.i: ; preds = %B34.if.i279.i, %B612.if.i
  %.791.i = icmp sgt i64 %.738.0298.i, 1
  br i1 %.791.i, label %B612.if.i, label %B820.i

B1032.if.i:                                       ; preds = %_finish_row.58.exit.i, %_copy.3.exit288.i
  %.1021.0301.i = phi i64 [ %.1083.i, %_copy.3.exit288.i ], [ %storemerge272.i, %_finish_row.58.exit.i ]
  %.1018.0300.i = phi i64 [ %.1087.i, %_copy.3.exit288.i ], [ 1, %_finish_row.58.exit.i ]
  %.1083.i = add nsw i64 %.1021.0301.i, -1
  %.1087.i = add nuw i64 %.1018.0300.i, 1
  br i1 %.9234.not.i283.i, label %_copy.3.exit285.i, label %B34.if.preheader.i284.i

B34.if.preheader.i284.i:                          ; preds = %B1032.if.i
  %.1114.i = mul nsw i64 %.1018.0300.i, %22
  %.1116.i = getelementptr float, ptr %12, i64 %.1114.i
  tail call void @llvm.memcpy.p0.p0.i64(ptr align 4 %.1116.i, ptr readonly align 4 %12, i64 %31, i1 false), !alias.scope !197, !noalias !201
  br label %_copy.3.exit285.i

_copy.3.exit285.i: ; preds = %B34.if.preheader.i284.i, %B1032.if.i
  br i1 %.10760.not.i.i, label %_copy.3.exit288.i, label %B34.if.preheader.i287.i

B34.if.preheader.i287.i:                          ; preds = %_copy.3.exit285.i
  %.1145.i = mul nsw i64 %.1018.0300.i, %23
  %.1147.i = getelementptr float, ptr %13, i64 %.1145.i
  tail call void @llvm.memcpy.p0.p0.i64(ptr align 4 %.1147.i, ptr readonly align 4 %13, i64 %.86.i, i1 false), !alias.scope !203, !noalias !207
  br label %_copy.3.exit288.i

_copy.3.exit288.i: ; preds = %B34.if.preheader.i287.i, %_copy.3.exit285.i
  %.1074.i = icmp sgt i64 %.1021.0301.i, 1
  br i1 %.1074.i, label %B1032.if.i, label %B1174.i

read_layer.100.exit: ; preds = %B1174.i, %27
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.smin.i64(i64, i64) #2

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.smax.i64(i64, i64) #2

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite)
declare void @llvm.experimental.noalias.scope.decl(metadata) #3

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: write)
declare void @llvm.memset.p0.i64(ptr writeonly, i8, i64, i1 immarg) #4

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: readwrite)
declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly, ptr noalias readonly, i64, i1 immarg) #5

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)

attributes #0 = { nofree norecurse nosync nounwind memory(argmem: readwrite, inaccessiblemem: readwrite) }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #3 = { nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite) }
attributes #4 = { nocallback nofree nounwind willreturn memory(argmem: write) }
attributes #5 = { nocallback nofree nounwind willreturn memory(argmem: readwrite) }
attributes #6 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }

!0 = !{!"branch_weights", i32 1, i32 99}
!1 = !{!2}
!2 = distinct !{!2, !3, !"_multiply_row.62: %arg.a"}
!3 = distinct !{!3, !"_multiply_row.62"}
!4 = !{!5}
!5 = distinct !{!5, !3, !"_multiply_row.62: %arg.weight"}
!6 = !{!7}
!7 = distinct !{!7, !3, !"_multiply_row.62: %arg.out"}
!8 = !{!9, !5, !7}
!9 = distinct !{!9, !3, !"_multiply_row.62: %retptr"}
!10 = !{!9, !2, !7}
!11 = !{!9, !2, !5}
!12 = !{!13}
!13 = distinct !{!13, !14, !"_multiply_four.84: %arg.a"}
!14 = distinct !{!14, !"_multiply_four.84"}
!15 = !{!16}
!16 = distinct !{!16, !14, !"_multiply_four.84: %arg.b"}
!17 = !{!18}
!18 = distinct !{!18, !14, !"_multiply_four.84: %arg.c"}
!19 = !{!20}
!20 = distinct !{!20, !14, !"_multiply_four.84: %arg.d"}
!21 = !{!22}
!22 = distinct !{!22, !14, !"_multiply_four.84: %arg.weight"}
!23 = !{!24}
!24 = distinct !{!24, !14, !"_multiply_four.84: %arg.out_a"}
!25 = !{!26}
!26 = distinct !{!26, !14, !"_multiply_four.84: %arg.out_b"}
!27 = !{!28}
!28 = distinct !{!28, !14, !"_multiply_four.84: %arg.out_c"}
!29 = !{!30}
!30 = distinct !{!30, !14, !"_multiply_four.84: %arg.out_d"}
!31 = !{!32, !16, !18, !20, !22, !24, !26, !28, !30}
!32 = distinct !{!32, !14, !"_multiply_four.84: %retptr"}
!33 = !{!32, !13, !18, !20, !22, !24, !26, !28, !30}
!34 = !{!32, !13, !16, !20, !22, !24, !26, !28, !30}
!35 = !{!32, !13, !16, !18, !22, !24, !26, !28, !30}
!36 = !{!32, !13, !16, !18, !20, !24, !26, !28, !30}
!37 = !{!32, !13, !16, !18, !20, !22, !26, !28, !30}
!38 = !{!32, !13, !16, !18, !20, !22, !24, !28, !30}
!39 = !{!32, !13, !16, !18, !20, !22, !24, !26, !30}
!40 = !{!32, !13, !16, !18, !20, !22, !24, !26, !28}
!41 = !{!"branch_weights", i32 99, i32 1}
!42 = !{!43}
!43 = distinct !{!43, !44, !"read_layer.100: %arg.starts"}
!44 = distinct !{!44, !"read_layer.100"}
!45 = !{!46}
!46 = distinct !{!46, !44, !"read_layer.100: %arg.bias"}
!47 = !{!48}
!48 = distinct !{!48, !44, !"read_layer.100: %arg.from_state"}
!49 = !{!50}
!50 = distinct !{!50, !44, !"read_layer.100: %arg.scales"}
!51 = !{!52}
!52 = distinct !{!52, !44, !"read_layer.100: %arg.h"}
!53 = !{!54}
!54 = distinct !{!54, !44, !"read_layer.100: %arg.c"}
!55 = !{!56}
!56 = distinct !{!56, !44, !"read_layer.100: %arg.out"}
!57 = !{!58}
!58 = distinct !{!58, !44, !"read_layer.100: %arg.inputs"}
!59 = !{!60}
!60 = distinct !{!60, !44, !"read_layer.100: %arg.gates"}
!61 = !{!62}
!62 = distinct !{!62, !44, !"read_layer.100: %arg.hidden"}
!63 = !{!64}
!64 = distinct !{!64, !44, !"read_layer.100: %arg.projected"}
!65 = !{!66, !67, !43, !68, !46, !48, !50, !69, !52, !54, !56, !58, !60, !62, !64}
!66 = distinct !{!66, !44, !"read_layer.100: %retptr"}
!67 = distinct !{!67, !44, !"read_layer.100: %arg.x"}
!68 = distinct !{!68, !44, !"read_layer.100: %arg.from_input"}
!69 = distinct !{!69, !44, !"read_layer.100: %arg.projection"}
!70 = !{!66, !67, !68, !46, !48, !50, !69, !52, !54, !56, !58, !60, !62, !64}
!71 = !{!72}
!72 = distinct !{!72, !73, !"_multiply_state.101: %arg.x"}
!73 = distinct !{!73, !"_multiply_state.101"}
!74 = !{!75}
!75 = distinct !{!75, !73, !"_multiply_state.101: %arg.weight"}
!76 = !{!77}
!77 = distinct !{!77, !73, !"_multiply_state.101: %arg.out"}
!78 = !{!79}
!79 = distinct !{!79, !80, !"multiply.102: %arg.x"}
!80 = distinct !{!80, !"multiply.102"}
!81 = !{!82}
!82 = distinct !{!82, !80, !"multiply.102: %arg.weight"}
!83 = !{!84}
!84 = distinct !{!84, !80, !"multiply.102: %arg.out"}
!85 = !{!86}
!86 = distinct !{!86, !87, !"_multiply_row.103: %arg.a"}
!87 = distinct !{!87, !"_multiply_row.103"}
!88 = !{!89}
!89 = distinct !{!89, !87, !"_multiply_row.103: %arg.weight"}
!90 = !{!91}
!91 = distinct !{!91, !87, !"_multiply_row.103: %arg.out"}
!92 = !{!86, !79, !72, !52}
!93 = !{!94, !89, !91, !95, !82, !84, !96, !75, !77, !66, !67, !43, !68, !46, !48, !50, !69, !54, !56, !58, !60, !62, !64}
!94 = distinct !{!94, !87, !"_multiply_row.103: %retptr"}
!95 = distinct !{!95, !80, !"multiply.102: %retptr"}
!96 = distinct !{!96, !73, !"_multiply_state.101: %retptr"}
!97 = !{!89, !82, !75, !48}
!98 = !{!94, !86, !91, !95, !79, !84, !96, !72, !77, !66, !67, !43, !68, !46, !50, !69, !52, !54, !56, !58, !60, !62, !64}
!99 = !{!91, !84, !77, !60}
!100 = !{!94, !86, !89, !95, !79, !82, !96, !72, !75, !66, !67, !43, !68, !46, !48, !50, !69, !52, !54, !56, !58, !62, !64}
!101 = !{!102}
!102 = distinct !{!102, !103, !"_multiply_four.125: %arg.a"}
!103 = distinct !{!103, !"_multiply_four.125"}
!104 = !{!105}
!105 = distinct !{!105, !103, !"_multiply_four.125: %arg.b"}
!106 = !{!107}
!107 = distinct !{!107, !103, !"_multiply_four.125: %arg.c"}
!108 = !{!109}
!109 = distinct !{!109, !103, !"_multiply_four.125: %arg.d"}
!110 = !{!111}
!111 = distinct !{!111, !103, !"_multiply_four.125: %arg.weight"}
!112 = !{!113}
!113 = distinct !{!113, !103, !"_multiply_four.125: %arg.out_a"}
!114 = !{!115}
!115 = distinct !{!115, !103, !"_multiply_four.125: %arg.out_b"}
!116 = !{!117}
!117 = distinct !{!117, !103, !"_multiply_four.125: %arg.out_c"}
!118 = !{!119}
!119 = distinct !{!119, !103, !"_multiply_four.125: %arg.out_d"}
!120 = !{!102, !79, !72, !52}
!121 = !{!122, !105, !107, !109, !111, !113, !115, !117, !119, !95, !82, !84, !96, !75, !77, !66, !67, !43, !68, !46, !48, !50, !69, !54, !56, !58, !60, !62, !64}
!122 = distinct !{!122, !103, !"_multiply_four.125: %retptr"}
!123 = !{!105, !79, !72, !52}
!124 = !{!122, !102, !107, !109, !111, !113, !115, !117, !119, !95, !82, !84, !96, !75, !77, !66, !67, !43, !68, !46, !48, !50, !69, !54, !56, !58, !60, !62, !64}
!125 = !{!107, !79, !72, !52}
!126 = !{!122, !102, !105, !109, !111, !113, !115, !117, !119, !95, !82, !84, !96, !75, !77, !66, !67, !43, !68, !46, !48, !50, !69, !54, !56, !58, !60, !62, !64}
!127 = !{!109, !79, !72, !52}
!128 = !{!122, !102, !105, !107, !111, !113, !115, !117, !119, !95, !82, !84, !96, !75, !77, !66, !67, !43, !68, !46, !48, !50, !69, !54, !56, !58, !60, !62, !64}
!129 = !{!111, !82, !75, !48}
!130 = !{!122, !102, !105, !107, !109, !113, !115, !117, !119, !95, !79, !84, !96, !72, !77, !66, !67, !43, !68, !46, !50, !69, !52, !54, !56, !58, !60, !62, !64}
!131 = !{!113, !84, !77, !60}
!132 = !{!122, !102, !105, !107, !109, !111, !115, !117, !119, !95, !79, !82, !96, !72, !75, !66, !67, !43, !68, !46, !48, !50, !69, !52, !54, !56, !58, !62, !64}
!133 = !{!115, !84, !77, !60}
!134 = !{!122, !102, !105, !107, !109, !111, !113, !117, !119, !95, !79, !82, !96, !72, !75, !66, !67, !43, !68, !46, !48, !50, !69, !52, !54, !56, !58, !62, !64}
!135 = !{!117, !84, !77, !60}
!136 = !{!122, !102, !105, !107, !109, !111, !113, !115, !119, !95, !79, !82, !96, !72, !75, !66, !67, !43, !68, !46, !48, !50, !69, !52, !54, !56, !58, !62, !64}
!137 = !{!119, !84, !77, !60}
!138 = !{!122, !102, !105, !107, !109, !111, !113, !115, !117, !95, !79, !82, !96, !72, !75, !66, !67, !43, !68, !46, !48, !50, !69, !52, !54, !56, !58, !62, !64}
!139 = !{!140, !64}
!140 = distinct !{!140, !141, !"_clear.42: %arg.target"}
!141 = distinct !{!141, !"_clear.42"}
!142 = !{!143, !66, !67, !43, !68, !46, !48, !50, !69, !52, !54, !56, !58, !60, !62}
!143 = distinct !{!143, !141, !"_clear.42: %retptr"}
!144 = !{!145, !147, !148, !149, !66, !67, !43, !68, !46, !48, !50, !69, !52, !54, !56, !58, !60, !62, !64}
!145 = distinct !{!145, !146, !"_multiply_state.99: %retptr"}
!146 = distinct !{!146, !"_multiply_state.99"}
!147 = distinct !{!147, !146, !"_multiply_state.99: %arg.x"}
!148 = distinct !{!148, !146, !"_multiply_state.99: %arg.weight"}
!149 = distinct !{!149, !146, !"_multiply_state.99: %arg.out"}
!150 = !{!151}
!151 = distinct !{!151, !152, !"_finish_row.58: %arg.projected"}
!152 = distinct !{!152, !"_finish_row.58"}
!153 = !{!154}
!154 = distinct !{!154, !152, !"_finish_row.58: %arg.h"}
!155 = !{!156}
!156 = distinct !{!156, !152, !"_finish_row.58: %arg.out"}
!157 = !{!151, !64}
!158 = !{!159, !154, !156, !66, !67, !43, !68, !46, !48, !50, !69, !52, !54, !56, !58, !60, !62}
!159 = distinct !{!159, !152, !"_finish_row.58: %retptr"}
!160 = !{!154, !52}
!161 = !{!159, !151, !156, !66, !67, !43, !68, !46, !48, !50, !69, !54, !56, !58, !60, !62, !64}
!162 = !{!156, !56}
!163 = !{!159, !151, !154, !66, !67, !43, !68, !46, !48, !50, !69, !52, !54, !58, !60, !62, !64}
!164 = !{!165, !167, !46, !58}
!165 = distinct !{!165, !166, !"_copy.3: %arg.source"}
!166 = distinct !{!166, !"_copy.3"}
!167 = distinct !{!167, !166, !"_copy.3: %arg.target"}
!168 = !{!169, !66, !67, !43, !68, !48, !50, !69, !52, !54, !56, !60, !62, !64}
!169 = distinct !{!169, !166, !"_copy.3: %retptr"}
!170 = !{!171, !60}
!171 = distinct !{!171, !172, !"_clear.42: %arg.target"}
!172 = distinct !{!172, !"_clear.42"}
!173 = !{!174, !66, !67, !43, !68, !46, !48, !50, !69, !52, !54, !56, !58, !62, !64}
!174 = distinct !{!174, !172, !"_clear.42: %retptr"}
!175 = !{!176}
!176 = distinct !{!176, !177, !"_update_row.44: %arg.product"}
!177 = distinct !{!177, !"_update_row.44"}
!178 = !{!179}
!179 = distinct !{!179, !177, !"_update_row.44: %arg.scales"}
!180 = !{!181}
!181 = distinct !{!181, !177, !"_update_row.44: %arg.given"}
!182 = !{!183}
!183 = distinct !{!183, !177, !"_update_row.44: %arg.cell"}
!184 = !{!185}
!185 = distinct !{!185, !177, !"_update_row.44: %arg.hidden"}
!186 = !{!176, !60}
!187 = !{!188, !179, !181, !183, !185, !66, !67, !43, !68, !46, !48, !50, !69, !52, !54, !56, !58, !62, !64}
!188 = distinct !{!188, !177, !"_update_row.44: %retptr"}
!189 = !{!179, !50}
!190 = !{!188, !176, !181, !183, !185, !66, !67, !43, !68, !46, !48, !69, !52, !54, !56, !58, !60, !62, !64}
!191 = !{!181, !58}
!192 = !{!188, !176, !179, !183, !185, !66, !67, !43, !68, !46, !48, !50, !69, !52, !54, !56, !60, !62, !64}
!193 = !{!183, !54}
!194 = !{!188, !176, !179, !181, !185, !66, !67, !43, !68, !46, !48, !50, !69, !52, !56, !58, !60, !62, !64}
!195 = !{!185, !62}
!196 = !{!188, !176, !179, !181, !183, !66, !67, !43, !68, !46, !48, !50, !69, !52, !54, !56, !58, !60, !64}
!197 = !{!198, !200, !52}
!198 = distinct !{!198, !199, !"_copy.3: %arg.source"}
!199 = distinct !{!199, !"_copy.3"}
!200 = distinct !{!200, !199, !"_copy.3: %arg.target"}
!201 = !{!202, !66, !67, !43, !68, !46, !48, !50, !69, !54, !56, !58, !60, !62, !64}
!202 = distinct !{!202, !199, !"_copy.3: %retptr"}
!203 = !{!204, !206, !54}
!204 = distinct !{!204, !205, !"_copy.3: %arg.source"}
!205 = distinct !{!205, !"_copy.3"}
!206 = distinct !{!206, !205, !"_copy.3: %arg.target"}
!207 = !{!208, !66, !67, !43, !68, !46, !48, !50, !69, !52, !56, !58, !60, !62, !64}
!208 = distinct !{!208, !205, !"_copy.3: %retptr"}

; loop: read_layer_integers
; ModuleID = '<string>'
source_filename = "<string>"

; Function Attrs: nofree norecurse nosync nounwind memory(argmem: readwrite, inaccessiblemem: readwrite)
define internal fastcc void @multiply.4(ptr noalias nonnull writeonly %retptr, ptr noalias readonly %arg.x, i64 %arg.rows, i64 %arg.size, ptr noalias readonly %arg.weight, i64 %arg.width, ptr noalias %arg.out, i64 %arg.apart, i64 %arg.columns) unnamed_addr #0 {
entry:
  %.30 = add i64 %arg.width, -1
  %.31 = add i64 %.30, %arg.columns
  %.35 = icmp eq i64 %arg.columns, 0
  br i1 %.35, label %B0.endif, label %B0.else, !prof !0

B52.loopexit:                                     ; preds = %B669, %B54.if
  %.155 = icmp sgt i64 %.99.0124, 1
  br i1 %.155, label %B54.if, label %B668

B282:                                             ; preds = %B142.if
  tail call void @llvm.experimental.noalias.scope.decl(metadata !1)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !4)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !6)
  br i1 %.105156.i.not, label %B828.else.if.i, label %B44.if.i

B44.loopexit.i:                                   ; preds = %B294.if.i, %B44.if.i
  %.105.i = icmp sgt i64 %.50.0158.i, 1
  br i1 %.105.i, label %B44.if.i, label %B828.else.if.i

B872.loopexit.i:                                  ; preds = %B960.if.i, %B872.if.i
  %.589.i = icmp sgt i64 %.536.0164.i, 1
  br i1 %.589.i, label %B872.if.i, label %B669

B44.if.i:                                         ; preds = %B282, %B44.loopexit.i
  %.50.0158.i = phi i64 [ %.114.i, %B44.loopexit.i ], [ %.84.i, %B282 ]
  %.47.0157.i = phi i64 [ %.118.i, %B44.loopexit.i ], [ 0, %B282 ]
  %.114.i = add nsw i64 %.50.0158.i, -1
  %.118.i = add nuw i64 %.47.0157.i, 8
  %.144.i = getelementptr float, ptr %.355, i64 %.47.0157.i
  %.145.i = load float, ptr %.144.i, align 4, !alias.scope !1, !noalias !8
  %.148.i = getelementptr i8, ptr %.144.i, i64 4
  %.149.i = load float, ptr %.148.i, align 4, !alias.scope !1, !noalias !8
  %.152.i = getelementptr i8, ptr %.144.i, i64 8
  %.153.i = load float, ptr %.152.i, align 4, !alias.scope !1, !noalias !8
  %.156.i = getelementptr i8, ptr %.144.i, i64 12
  %.157.i = load float, ptr %.156.i, align 4, !alias.scope !1, !noalias !8
  %.160.i = getelementptr i8, ptr %.144.i, i64 16
  %.161.i = load float, ptr %.160.i, align 4, !alias.scope !1, !noalias !8
  %.164.i = getelementptr i8, ptr %.144.i, i64 20
  %.165.i = load float, ptr %.164.i, align 4, !alias.scope !1, !noalias !8
  %.168.i = getelementptr i8, ptr %.144.i, i64 24
  %.169.i = load float, ptr %.168.i, align 4, !alias.scope !1, !noalias !8
  %.172.i = getelementptr i8, ptr %.144.i, i64 28
  %.173.i = load float, ptr %.172.i, align 4, !alias.scope !1, !noalias !8
  %.247.i = mul nsw i64 %.47.0157.i, %arg.width
  %.249.i = getelementptr float, ptr %.364, i64 %.247.i
  br i1 %.333153.not.i, label %B44.loopexit.i, label %B294.if.i

B294.if.i:                                        ; preds = %B44.if.i, %B294.if.i
  %.280.0155.i = phi i64 [ %.342.i, %B294.if.i ], [ %storemerge152.i, %B44.if.i ]
  %.277.0154.i = phi i64 [ %.346.i, %B294.if.i ], [ 0, %B44.if.i ]
  %.342.i = add nsw i64 %.280.0155.i, -1
  %.346.i = add nuw nsw i64 %.277.0154.i, 1
  %.372.i = getelementptr float, ptr %.249.i, i64 %.277.0154.i
  %.373.i = load float, ptr %.372.i, align 4, !alias.scope !4, !noalias !10
  %.377.i = getelementptr float, ptr %.372.i, i64 %arg.width
  %.378.i = load float, ptr %.377.i, align 4, !alias.scope !4, !noalias !10
  %.383.i = getelementptr i8, ptr %.372.i, i64 %.383.idx.i
  %.384.i = load float, ptr %.383.i, align 4, !alias.scope !4, !noalias !10
  %.389.i = getelementptr i8, ptr %.372.i, i64 %.389.idx.i
  %.390.i = load float, ptr %.389.i, align 4, !alias.scope !4, !noalias !10
  %.395.i = getelementptr i8, ptr %.372.i, i64 %.395.idx.i
  %.396.i = load float, ptr %.395.i, align 4, !alias.scope !4, !noalias !10
  %.401.i = getelementptr i8, ptr %.372.i, i64 %.401.idx.i
  %.402.i = load float, ptr %.401.i, align 4, !alias.scope !4, !noalias !10
  %.407.i = getelementptr i8, ptr %.372.i, i64 %.407.idx.i
  %.408.i = load float, ptr %.407.i, align 4, !alias.scope !4, !noalias !10
  %.413.i = getelementptr i8, ptr %.372.i, i64 %.413.idx.i
  %.414.i = load float, ptr %.413.i, align 4, !alias.scope !4, !noalias !10
  %.416.i = getelementptr float, ptr %gep, i64 %.277.0154.i
  %.417.i = load float, ptr %.416.i, align 4, !alias.scope !6, !noalias !11
  %.422.i = tail call contract float @llvm.fmuladd.f32(float %.145.i, float %.373.i, float %.417.i)
  %.423.i = tail call contract float @llvm.fmuladd.f32(float %.149.i, float %.378.i, float %.422.i)
  %.424.i = tail call contract float @llvm.fmuladd.f32(float %.153.i, float %.384.i, float %.423.i)
  %.425.i = tail call contract float @llvm.fmuladd.f32(float %.157.i, float %.390.i, float %.424.i)
  %.430.i = tail call contract float @llvm.fmuladd.f32(float %.161.i, float %.396.i, float %.425.i)
  %.431.i = tail call contract float @llvm.fmuladd.f32(float %.165.i, float %.402.i, float %.430.i)
  %.432.i = tail call contract float @llvm.fmuladd.f32(float %.169.i, float %.408.i, float %.431.i)
  %.433.i = tail call contract float @llvm.fmuladd.f32(float %.173.i, float %.414.i, float %.432.i)
  store float %.433.i, ptr %.416.i, align 4, !alias.scope !6, !noalias !11
  %.333.i = icmp sgt i64 %.280.0155.i, 1
  br i1 %.333.i, label %B294.if.i, label %B44.loopexit.i

B828.else.if.i:                                   ; preds = %B44.loopexit.i, %B282
  br i1 %.589162.not.i, label %B669, label %B872.if.i

B872.if.i:                                        ; preds = %B828.else.if.i, %B872.loopexit.i
  %.536.0164.i = phi i64 [ %.598.i, %B872.loopexit.i ], [ %.546.i, %B828.else.if.i ]
  %.533.0163.i = phi i64 [ %.602.i, %B872.loopexit.i ], [ %.506.i, %B828.else.if.i ]
  %.598.i = add nsw i64 %.536.0164.i, -1
  %.602.i = add nuw nsw i64 %.533.0163.i, 1
  %.628.i = getelementptr float, ptr %.355, i64 %.533.0163.i
  %.629.i = load float, ptr %.628.i, align 4, !alias.scope !1, !noalias !8
  %.631.i = mul nsw i64 %.533.0163.i, %arg.width
  %.633.i = getelementptr float, ptr %.364, i64 %.631.i
  br i1 %.720159.not.i, label %B872.loopexit.i, label %B960.if.i

B960.if.i:                                        ; preds = %B872.if.i, %B960.if.i
  %.667.0161.i = phi i64 [ %.729.i, %B960.if.i ], [ %storemerge151.i, %B872.if.i ]
  %.664.0160.i = phi i64 [ %.733.i, %B960.if.i ], [ 0, %B872.if.i ]
  %.729.i = add nsw i64 %.667.0161.i, -1
  %.733.i = add nuw nsw i64 %.664.0160.i, 1
  %.759.i = getelementptr float, ptr %gep, i64 %.664.0160.i
  %.760.i = load float, ptr %.759.i, align 4, !alias.scope !6, !noalias !11
  %.762.i = getelementptr float, ptr %.633.i, i64 %.664.0160.i
  %.763.i = load float, ptr %.762.i, align 4, !alias.scope !4, !noalias !10
  %.765.i = tail call contract float @llvm.fmuladd.f32(float %.629.i, float %.763.i, float %.760.i)
  store float %.765.i, ptr %.759.i, align 4, !alias.scope !6, !noalias !11
  %.720.i = icmp sgt i64 %.667.0161.i, 1
  br i1 %.720.i, label %B960.if.i, label %B872.loopexit.i

B324:                                             ; preds = %B142.if
  %.424 = getelementptr float, ptr %.355, i64 %arg.size
  %.426 = add nsw i64 %.375, -1
  %.13.i = tail call i64 @llvm.smin.i64(i64 %.426, i64 2)
  %.13.i107 = tail call i64 @llvm.smin.i64(i64 %.426, i64 3)
  %.456 = mul nsw i64 %.13.i, %arg.size
  %.458 = getelementptr float, ptr %.355, i64 %.456
  %.492 = mul nsw i64 %.13.i107, %arg.size
  %.494 = getelementptr float, ptr %.355, i64 %.492
  %.497 = getelementptr float, ptr %gep, i64 %arg.apart
  %.501 = getelementptr i8, ptr %gep, i64 %.501.idx
  %.505 = getelementptr i8, ptr %gep, i64 %.505.idx
  tail call void @llvm.experimental.noalias.scope.decl(metadata !12)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !15)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !17)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !19)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !21)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !23)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !25)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !27)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !29)
  br i1 %.123152.i.not, label %B934.else.if.i, label %B44.if.i112

B44.loopexit.i117:                                ; preds = %B470.if.i, %B44.if.i112
  %.123.i = icmp sgt i64 %.68.0154.i, 1
  br i1 %.123.i, label %B44.if.i112, label %B934.else.if.i

B978.loopexit.i:                                  ; preds = %B1120.if.i, %B978.if.i
  %.734.i = icmp sgt i64 %.681.0160.i, 1
  br i1 %.734.i, label %B978.if.i, label %B669

B44.if.i112:                                      ; preds = %B324, %B44.loopexit.i117
  %.68.0154.i = phi i64 [ %.132.i, %B44.loopexit.i117 ], [ %.102.i, %B324 ]
  %.65.0153.i = phi i64 [ %.136.i, %B44.loopexit.i117 ], [ 0, %B324 ]
  %.132.i = add nsw i64 %.68.0154.i, -1
  %.136.i = add nuw i64 %.65.0153.i, 4
  %.162.i = getelementptr float, ptr %.355, i64 %.65.0153.i
  %.163.i = load float, ptr %.162.i, align 4, !alias.scope !12, !noalias !31
  %.164.i113 = or disjoint i64 %.65.0153.i, 1
  %.166.i = getelementptr float, ptr %.355, i64 %.164.i113
  %.167.i = load float, ptr %.166.i, align 4, !alias.scope !12, !noalias !31
  %.168.i114 = or disjoint i64 %.65.0153.i, 2
  %.170.i = getelementptr float, ptr %.355, i64 %.168.i114
  %.171.i = load float, ptr %.170.i, align 4, !alias.scope !12, !noalias !31
  %.172.i115 = or disjoint i64 %.65.0153.i, 3
  %.174.i = getelementptr float, ptr %.355, i64 %.172.i115
  %.175.i = load float, ptr %.174.i, align 4, !alias.scope !12, !noalias !31
  %.213.i = getelementptr float, ptr %.424, i64 %.65.0153.i
  %.214.i = load float, ptr %.213.i, align 4, !alias.scope !15, !noalias !33
  %.217.i = getelementptr float, ptr %.424, i64 %.164.i113
  %.218.i = load float, ptr %.217.i, align 4, !alias.scope !15, !noalias !33
  %.221.i = getelementptr float, ptr %.424, i64 %.168.i114
  %.222.i = load float, ptr %.221.i, align 4, !alias.scope !15, !noalias !33
  %.225.i = getelementptr float, ptr %.424, i64 %.172.i115
  %.226.i = load float, ptr %.225.i, align 4, !alias.scope !15, !noalias !33
  %.264.i = getelementptr float, ptr %.458, i64 %.65.0153.i
  %.265.i = load float, ptr %.264.i, align 4, !alias.scope !17, !noalias !34
  %.268.i = getelementptr float, ptr %.458, i64 %.164.i113
  %.269.i = load float, ptr %.268.i, align 4, !alias.scope !17, !noalias !34
  %.272.i = getelementptr float, ptr %.458, i64 %.168.i114
  %.273.i = load float, ptr %.272.i, align 4, !alias.scope !17, !noalias !34
  %.276.i = getelementptr float, ptr %.458, i64 %.172.i115
  %.277.i = load float, ptr %.276.i, align 4, !alias.scope !17, !noalias !34
  %.315.i = getelementptr float, ptr %.494, i64 %.65.0153.i
  %.316.i = load float, ptr %.315.i, align 4, !alias.scope !19, !noalias !35
  %.319.i = getelementptr float, ptr %.494, i64 %.164.i113
  %.320.i = load float, ptr %.319.i, align 4, !alias.scope !19, !noalias !35
  %.323.i = getelementptr float, ptr %.494, i64 %.168.i114
  %.324.i = load float, ptr %.323.i, align 4, !alias.scope !19, !noalias !35
  %.327.i = getelementptr float, ptr %.494, i64 %.172.i115
  %.328.i = load float, ptr %.327.i, align 4, !alias.scope !19, !noalias !35
  %.366.i = mul nsw i64 %.65.0153.i, %arg.width
  %.368.i = getelementptr float, ptr %.364, i64 %.366.i
  br i1 %.452149.not.i, label %B44.loopexit.i117, label %B470.if.i

B470.if.i:                                        ; preds = %B44.if.i112, %B470.if.i
  %.399.0151.i = phi i64 [ %.461.i, %B470.if.i ], [ %storemerge148.i, %B44.if.i112 ]
  %.396.0150.i = phi i64 [ %.465.i, %B470.if.i ], [ 0, %B44.if.i112 ]
  %.461.i = add nsw i64 %.399.0151.i, -1
  %.465.i = add nuw nsw i64 %.396.0150.i, 1
  %.491.i = getelementptr float, ptr %.368.i, i64 %.396.0150.i
  %.492.i = load float, ptr %.491.i, align 4, !alias.scope !21, !noalias !36
  %.496.i = getelementptr float, ptr %.491.i, i64 %arg.width
  %.497.i = load float, ptr %.496.i, align 4, !alias.scope !21, !noalias !36
  %.502.i = getelementptr i8, ptr %.491.i, i64 %.502.idx.i
  %.503.i = load float, ptr %.502.i, align 4, !alias.scope !21, !noalias !36
  %.508.i = getelementptr i8, ptr %.491.i, i64 %.508.idx.i
  %.509.i = load float, ptr %.508.i, align 4, !alias.scope !21, !noalias !36
  %.511.i = getelementptr float, ptr %gep, i64 %.396.0150.i
  %.512.i = load float, ptr %.511.i, align 4, !alias.scope !23, !noalias !37
  %.517.i = tail call contract float @llvm.fmuladd.f32(float %.163.i, float %.492.i, float %.512.i)
  %.518.i = tail call contract float @llvm.fmuladd.f32(float %.167.i, float %.497.i, float %.517.i)
  %.519.i = tail call contract float @llvm.fmuladd.f32(float %.171.i, float %.503.i, float %.518.i)
  %.520.i = tail call contract float @llvm.fmuladd.f32(float %.175.i, float %.509.i, float %.519.i)
  store float %.520.i, ptr %.511.i, align 4, !alias.scope !23, !noalias !37
  %.525.i = getelementptr float, ptr %.497, i64 %.396.0150.i
  %.526.i = load float, ptr %.525.i, align 4, !alias.scope !25, !noalias !38
  %.531.i = tail call contract float @llvm.fmuladd.f32(float %.214.i, float %.492.i, float %.526.i)
  %.532.i = tail call contract float @llvm.fmuladd.f32(float %.218.i, float %.497.i, float %.531.i)
  %.533.i = tail call contract float @llvm.fmuladd.f32(float %.222.i, float %.503.i, float %.532.i)
  %.534.i = tail call contract float @llvm.fmuladd.f32(float %.226.i, float %.509.i, float %.533.i)
  store float %.534.i, ptr %.525.i, align 4, !alias.scope !25, !noalias !38
  %.539.i = getelementptr float, ptr %.501, i64 %.396.0150.i
  %.540.i = load float, ptr %.539.i, align 4, !alias.scope !27, !noalias !39
  %.545.i = tail call contract float @llvm.fmuladd.f32(float %.265.i, float %.492.i, float %.540.i)
  %.546.i116 = tail call contract float @llvm.fmuladd.f32(float %.269.i, float %.497.i, float %.545.i)
  %.547.i = tail call contract float @llvm.fmuladd.f32(float %.273.i, float %.503.i, float %.546.i116)
  %.548.i = tail call contract float @llvm.fmuladd.f32(float %.277.i, float %.509.i, float %.547.i)
  store float %.548.i, ptr %.539.i, align 4, !alias.scope !27, !noalias !39
  %.553.i = getelementptr float, ptr %.505, i64 %.396.0150.i
  %.554.i = load float, ptr %.553.i, align 4, !alias.scope !29, !noalias !40
  %.559.i = tail call contract float @llvm.fmuladd.f32(float %.316.i, float %.492.i, float %.554.i)
  %.560.i = tail call contract float @llvm.fmuladd.f32(float %.320.i, float %.497.i, float %.559.i)
  %.561.i = tail call contract float @llvm.fmuladd.f32(float %.324.i, float %.503.i, float %.560.i)
  %.562.i = tail call contract float @llvm.fmuladd.f32(float %.328.i, float %.509.i, float %.561.i)
  store float %.562.i, ptr %.553.i, align 4, !alias.scope !29, !noalias !40
  %.452.i = icmp sgt i64 %.399.0151.i, 1
  br i1 %.452.i, label %B470.if.i, label %B44.loopexit.i117

B934.else.if.i:                                   ; preds = %B44.loopexit.i117, %B324
  br i1 %.734158.not.i, label %B669, label %B978.if.i

B978.if.i:                                        ; preds = %B934.else.if.i, %B978.loopexit.i
  %.681.0160.i = phi i64 [ %.743.i, %B978.loopexit.i ], [ %.691.i, %B934.else.if.i ]
  %.678.0159.i = phi i64 [ %.747.i, %B978.loopexit.i ], [ %.651.i, %B934.else.if.i ]
  %.743.i = add nsw i64 %.681.0160.i, -1
  %.747.i = add nuw nsw i64 %.678.0159.i, 1
  %.773.i = getelementptr float, ptr %.355, i64 %.678.0159.i
  %.774.i = load float, ptr %.773.i, align 4, !alias.scope !12, !noalias !31
  %.776.i = getelementptr float, ptr %.424, i64 %.678.0159.i
  %.777.i = load float, ptr %.776.i, align 4, !alias.scope !15, !noalias !33
  %.779.i = getelementptr float, ptr %.458, i64 %.678.0159.i
  %.780.i = load float, ptr %.779.i, align 4, !alias.scope !17, !noalias !34
  %.782.i = getelementptr float, ptr %.494, i64 %.678.0159.i
  %.783.i = load float, ptr %.782.i, align 4, !alias.scope !19, !noalias !35
  %.785.i = mul nsw i64 %.678.0159.i, %arg.width
  %.787.i = getelementptr float, ptr %.364, i64 %.785.i
  br i1 %.893155.not.i, label %B978.loopexit.i, label %B1120.if.i

B1120.if.i:                                       ; preds = %B978.if.i, %B1120.if.i
  %.840.0157.i = phi i64 [ %.902.i, %B1120.if.i ], [ %storemerge147.i, %B978.if.i ]
  %.837.0156.i = phi i64 [ %.906.i, %B1120.if.i ], [ 0, %B978.if.i ]
  %.902.i = add nsw i64 %.840.0157.i, -1
  %.906.i = add nuw nsw i64 %.837.0156.i, 1
  %.932.i = getelementptr float, ptr %.787.i, i64 %.837.0156.i
  %.933.i = load float, ptr %.932.i, align 4, !alias.scope !21, !noalias !36
  %.935.i = getelementptr float, ptr %gep, i64 %.837.0156.i
  %.936.i = load float, ptr %.935.i, align 4, !alias.scope !23, !noalias !37
  %.938.i = tail call contract float @llvm.fmuladd.f32(float %.774.i, float %.933.i, float %.936.i)
  store float %.938.i, ptr %.935.i, align 4, !alias.scope !23, !noalias !37
  %.943.i = getelementptr float, ptr %.497, i64 %.837.0156.i
  %.944.i = load float, ptr %.943.i, align 4, !alias.scope !25, !noalias !38
  %.946.i = tail call contract float @llvm.fmuladd.f32(float %.777.i, float %.933.i, float %.944.i)
  store float %.946.i, ptr %.943.i, align 4, !alias.scope !25, !noalias !38
  %.951.i = getelementptr float, ptr %.501, i64 %.837.0156.i
  %.952.i = load float, ptr %.951.i, align 4, !alias.scope !27, !noalias !39
  %.954.i = tail call contract float @llvm.fmuladd.f32(float %.780.i, float %.933.i, float %.952.i)
  store float %.954.i, ptr %.951.i, align 4, !alias.scope !27, !noalias !39
  %.959.i = getelementptr float, ptr %.505, i64 %.837.0156.i
  %.960.i = load float, ptr %.959.i, align 4, !alias.scope !29, !noalias !40
  %.962.i = tail call contract float @llvm.fmuladd.f32(float %.783.i, float %.933.i, float %.960.i)
  store float %.962.i, ptr %.959.i, align 4, !alias.scope !29, !noalias !40
  %.893.i = icmp sgt i64 %.840.0157.i, 1
  br i1 %.893.i, label %B1120.if.i, label %B978.loopexit.i

B668:                                             ; preds = %B52.loopexit, %B0.endif
  store ptr null, ptr %retptr, align 8
  ret void

B669:                                             ; preds = %B978.loopexit.i, %B872.loopexit.i, %B934.else.if.i, %B828.else.if.i
  %.314 = icmp sgt i64 %.260.0121, 1
  br i1 %.314, label %B142.if, label %B52.loopexit

B0.else:                                          ; preds = %entry
  %.46 = icmp ne i64 %.31, -9223372036854775808
  %.47 = icmp ne i64 %arg.columns, -1
  %.48.not = or i1 %.47, %.46
  br i1 %.48.not, label %B0.else.if, label %B0.endif, !prof !41

B0.endif:                                         ; preds = %B0.else.if, %B0.else, %entry
  %quot.0 = phi i64 [ 0, %entry ], [ %3, %B0.else.if ], [ 0, %B0.else ]
  %.155123.not = icmp eq i64 %quot.0, 0
  br i1 %.155123.not, label %B668, label %B54.if.lr.ph

B54.if.lr.ph:                                     ; preds = %B0.endif
  %0 = add nuw i64 %arg.rows, 3
  %.292 = lshr i64 %0, 2
  %.271.inv = icmp sgt i64 %arg.rows, 0
  %storemerge106 = select i1 %.271.inv, i64 %.292, i64 0
  %.314120.not = icmp eq i64 %storemerge106, 0
  %.501.idx = shl i64 %arg.apart, 3
  %.505.idx = mul i64 %arg.apart, 12
  %.79.i = icmp slt i64 %arg.size, 4
  %.41.i = add nsw i64 %arg.size, -3
  %1 = and i64 %.41.i, -9223372036854775805
  %.99.i = icmp sgt i64 %1, 0
  %.100161.i = lshr i64 %.41.i, 2
  %.101.i = zext i1 %.99.i to i64
  %.102.i = add nuw nsw i64 %.100161.i, %.101.i
  %.502.idx.i = shl i64 %arg.width, 3
  %.508.idx.i = mul i64 %arg.width, 12
  %.691.i = and i64 %arg.size, 3
  %.734158.not.i = icmp eq i64 %.691.i, 0
  %.651.i = and i64 %arg.size, -4
  %.61.i = icmp slt i64 %arg.size, 8
  %.23.i = add nsw i64 %arg.size, -7
  %2 = and i64 %.23.i, -9223372036854775801
  %.81.i = icmp sgt i64 %2, 0
  %.82165.i = lshr i64 %.23.i, 3
  %.83.i = zext i1 %.81.i to i64
  %.84.i = add nuw nsw i64 %.82165.i, %.83.i
  %.383.idx.i = shl i64 %arg.width, 3
  %.389.idx.i = mul i64 %arg.width, 12
  %.395.idx.i = shl i64 %arg.width, 4
  %.401.idx.i = mul i64 %arg.width, 20
  %.407.idx.i = mul i64 %arg.width, 24
  %.413.idx.i = mul i64 %arg.width, 28
  %.546.i = and i64 %arg.size, 7
  %.589162.not.i = icmp eq i64 %.546.i, 0
  %.506.i = and i64 %arg.size, -8
  %.123152.i.not129 = icmp eq i64 %.102.i, 0
  %.123152.i.not = select i1 %.79.i, i1 true, i1 %.123152.i.not129
  %.105156.i.not130 = icmp eq i64 %.84.i, 0
  %.105156.i.not = select i1 %.61.i, i1 true, i1 %.105156.i.not130
  br label %B54.if

B0.else.if:                                       ; preds = %B0.else
  %.51 = sdiv i64 %.31, %arg.columns
  %.52 = srem i64 %.31, %arg.columns
  %.53 = xor i64 %.52, %arg.columns
  %.54 = icmp slt i64 %.53, 0
  %.55 = icmp ne i64 %.52, 0
  %.56 = and i1 %.55, %.54
  %.61 = sext i1 %.56 to i64
  %spec.select = add i64 %.51, %.61
  %3 = tail call i64 @llvm.smax.i64(i64 %spec.select, i64 0)
  br label %B0.endif

B54.if:                                           ; preds = %B54.if.lr.ph, %B52.loopexit
  %.96.0125 = phi i64 [ 0, %B54.if.lr.ph ], [ %.168, %B52.loopexit ]
  %.99.0124 = phi i64 [ %quot.0, %B54.if.lr.ph ], [ %.164, %B52.loopexit ]
  %.164 = add nsw i64 %.99.0124, -1
  %.168 = add nuw nsw i64 %.96.0125, 1
  %4 = mul nsw i64 %.96.0125, %arg.columns
  %invariant.gep = getelementptr float, ptr %arg.out, i64 %4
  br i1 %.314120.not, label %B52.loopexit, label %B142.if.lr.ph

B142.if.lr.ph:                                    ; preds = %B54.if
  %.200 = sub nsw i64 %arg.width, %4
  %.13.i118 = tail call i64 @llvm.smin.i64(i64 %.200, i64 %arg.columns)
  %.364 = getelementptr float, ptr %arg.weight, i64 %4
  %storemerge148.i = tail call i64 @llvm.smax.i64(i64 %.13.i118, i64 0)
  %.452149.not.i = icmp slt i64 %.13.i118, 1
  %storemerge147.i = tail call i64 @llvm.smax.i64(i64 %.13.i118, i64 0)
  %.893155.not.i = icmp slt i64 %.13.i118, 1
  %storemerge152.i = tail call i64 @llvm.smax.i64(i64 %.13.i118, i64 0)
  %.333153.not.i = icmp slt i64 %.13.i118, 1
  %storemerge151.i = tail call i64 @llvm.smax.i64(i64 %.13.i118, i64 0)
  %.720159.not.i = icmp slt i64 %.13.i118, 1
  br label %B142.if

B142.if:                                          ; preds = %B142.if.lr.ph, %B669
  %.257.0122 = phi i64 [ 0, %B142.if.lr.ph ], [ %.327, %B669 ]
  %.260.0121 = phi i64 [ %storemerge106, %B142.if.lr.ph ], [ %.323, %B669 ]
  %.323 = add nsw i64 %.260.0121, -1
  %.327 = add nuw i64 %.257.0122, 4
  %.353 = mul nsw i64 %.257.0122, %arg.size
  %.355 = getelementptr float, ptr %arg.x, i64 %.353
  %.357 = mul nsw i64 %.257.0122, %arg.apart
  %gep = getelementptr float, ptr %invariant.gep, i64 %.357
  %.375 = sub nsw i64 %arg.rows, %.257.0122
  %.380 = icmp eq i64 %.375, 1
  br i1 %.380, label %B282, label %B324
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.fmuladd.f32(float, float, float) #1

; Function Attrs: nofree norecurse nosync nounwind memory(argmem: readwrite, inaccessiblemem: readwrite)
define internal fastcc void @_multiply_state.141(ptr noalias nonnull writeonly %retptr, ptr noalias readonly %arg.x, i64 %arg.rows, i64 %arg.size, ptr noalias readonly %arg.weight, ptr noalias readonly %arg.pairs, ptr noalias readonly %arg.scales, i64 %arg.width, ptr noalias %arg.out, i64 %arg.apart, i64 %arg.columns) unnamed_addr #0 {
entry:
  %.333 = alloca ptr, align 8
  store ptr null, ptr %.333, align 8
  %.94 = icmp eq i64 %arg.rows, 1
  br i1 %.94, label %B68.else.if, label %B300

common.ret:                                       ; preds = %_multiply_group.142.exit, %B68.else.if, %B300
  store ptr null, ptr %retptr, align 8
  ret void

B300:                                             ; preds = %entry
  store ptr null, ptr %.333, align 8
  call fastcc void @multiply.4(ptr %.333, ptr %arg.x, i64 %arg.rows, i64 %arg.size, ptr %arg.weight, i64 %arg.width, ptr %arg.out, i64 %arg.apart, i64 %arg.columns)
  br label %common.ret

B68.else.if:                                      ; preds = %entry
  %.113.0 = ashr i64 %arg.width, 6
  %.22750.not = icmp slt i64 %.113.0, 1
  br i1 %.22750.not, label %common.ret, label %B120.if.lr.ph

B120.if.lr.ph:                                    ; preds = %B68.else.if
  %0 = add nuw i64 %arg.size, 3
  %.77.i = lshr i64 %0, 2
  %.54.inv.i = icmp slt i64 %arg.size, 1
  %.9871.not74.i = icmp eq i64 %.77.i, 0
  %.9871.not.i = select i1 %.54.inv.i, i1 true, i1 %.9871.not74.i
  br label %B120.if

B120.if:                                          ; preds = %B120.if.lr.ph, %_multiply_group.142.exit
  %.171.052 = phi i64 [ 0, %B120.if.lr.ph ], [ %.240, %_multiply_group.142.exit ]
  %.174.051 = phi i64 [ %.113.0, %B120.if.lr.ph ], [ %.236, %_multiply_group.142.exit ]
  %.236 = add nsw i64 %.174.051, -1
  %.240 = add nuw nsw i64 %.171.052, 1
  %.266 = mul nsw i64 %.171.052, %arg.size
  %.270.idx = shl i64 %.266, 7
  %.270 = getelementptr i8, ptr %arg.pairs, i64 %.270.idx
  %.272 = getelementptr float, ptr %arg.scales, i64 %.266
  %.276.idx = shl i64 %.171.052, 8
  %.276 = getelementptr i8, ptr %arg.out, i64 %.276.idx
  tail call void @llvm.experimental.noalias.scope.decl(metadata !42)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !45)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !47)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !49)
  br i1 %.9871.not.i, label %_multiply_group.142.exit, label %B38.if.i

B38.loopexit.i:                                   ; preds = %B308.if.i
  %.107.i = add nsw i64 %.43.073.i, -1
  %.111.i = add nuw i64 %.40.072.i, 4
  %.98.i = icmp sgt i64 %.43.073.i, 1
  br i1 %.98.i, label %B38.if.i, label %_multiply_group.142.exit

B38.if.i:                                         ; preds = %B120.if, %B38.loopexit.i
  %.43.073.i = phi i64 [ %.107.i, %B38.loopexit.i ], [ %.77.i, %B120.if ]
  %.40.072.i = phi i64 [ %.111.i, %B38.loopexit.i ], [ 0, %B120.if ]
  %.137.i = getelementptr float, ptr %arg.x, i64 %.40.072.i
  %.138.i = load float, ptr %.137.i, align 4, !alias.scope !42, !noalias !51
  %.139.i = or disjoint i64 %.40.072.i, 1
  %.141.i = getelementptr float, ptr %arg.x, i64 %.139.i
  %.142.i = load float, ptr %.141.i, align 4, !alias.scope !42, !noalias !51
  %.143.i = or disjoint i64 %.40.072.i, 2
  %.145.i = getelementptr float, ptr %arg.x, i64 %.143.i
  %.146.i = load float, ptr %.145.i, align 4, !alias.scope !42, !noalias !51
  %.147.i = or disjoint i64 %.40.072.i, 3
  %.149.i = getelementptr float, ptr %arg.x, i64 %.147.i
  %.150.i = load float, ptr %.149.i, align 4, !alias.scope !42, !noalias !51
  %.188.i = getelementptr float, ptr %.272, i64 %.40.072.i
  %.189.i = load float, ptr %.188.i, align 4, !alias.scope !47, !noalias !53
  %.192.i = getelementptr float, ptr %.272, i64 %.139.i
  %.193.i = load float, ptr %.192.i, align 4, !alias.scope !47, !noalias !53
  %.196.i = getelementptr float, ptr %.272, i64 %.143.i
  %.197.i = load float, ptr %.196.i, align 4, !alias.scope !47, !noalias !53
  %.200.i = getelementptr float, ptr %.272, i64 %.147.i
  %.201.i = load float, ptr %.200.i, align 4, !alias.scope !47, !noalias !53
  %.240.idx.i = shl i64 %.40.072.i, 7
  %.240.i = getelementptr i8, ptr %.270, i64 %.240.idx.i
  br label %B308.if.i

B308.if.i:                                        ; preds = %B308.if.i, %B38.if.i
  %.270.070.i = phi i64 [ 32, %B38.if.i ], [ %.332.i, %B308.if.i ]
  %.267.069.i = phi i64 [ 0, %B38.if.i ], [ %.336.i, %B308.if.i ]
  %.332.i = add nsw i64 %.270.070.i, -1
  %.336.i = add nuw nsw i64 %.267.069.i, 1
  %.362.i = getelementptr i32, ptr %.240.i, i64 %.267.069.i
  %.363.i = load i32, ptr %.362.i, align 4, !alias.scope !45, !noalias !54
  %.364.i = add nuw nsw i64 %.267.069.i, 32
  %.366.i = getelementptr i32, ptr %.240.i, i64 %.364.i
  %.367.i = load i32, ptr %.366.i, align 4, !alias.scope !45, !noalias !54
  %.371.i = getelementptr i8, ptr %.362.i, i64 256
  %.372.i = load i32, ptr %.371.i, align 4, !alias.scope !45, !noalias !54
  %.376.i = getelementptr i8, ptr %.362.i, i64 384
  %.377.i = load i32, ptr %.376.i, align 4, !alias.scope !45, !noalias !54
  %.406.i = shl i32 %.363.i, 16
  %.408.i = bitcast i32 %.406.i to float
  %.410.i = fmul contract float %.189.i, %.408.i
  %.415.i = shl i32 %.367.i, 16
  %.417.i = bitcast i32 %.415.i to float
  %.419.i = fmul contract float %.193.i, %.417.i
  %.424.i = shl i32 %.372.i, 16
  %.426.i = bitcast i32 %.424.i to float
  %.428.i = fmul contract float %.197.i, %.426.i
  %.433.i = shl i32 %.377.i, 16
  %.435.i = bitcast i32 %.433.i to float
  %.437.i = fmul contract float %.201.i, %.435.i
  %1 = and i32 %.363.i, -65536
  %.468.i = bitcast i32 %1 to float
  %.470.i = fmul contract float %.189.i, %.468.i
  %2 = and i32 %.367.i, -65536
  %.477.i = bitcast i32 %2 to float
  %.479.i = fmul contract float %.193.i, %.477.i
  %3 = and i32 %.372.i, -65536
  %.486.i = bitcast i32 %3 to float
  %.488.i = fmul contract float %.197.i, %.486.i
  %4 = and i32 %.377.i, -65536
  %.495.i = bitcast i32 %4 to float
  %.497.i = fmul contract float %.201.i, %.495.i
  %.524.i = getelementptr float, ptr %.276, i64 %.267.069.i
  %.525.i = load float, ptr %.524.i, align 4, !alias.scope !49, !noalias !55
  %.530.i = tail call contract float @llvm.fmuladd.f32(float %.138.i, float %.410.i, float %.525.i)
  %.531.i = tail call contract float @llvm.fmuladd.f32(float %.142.i, float %.419.i, float %.530.i)
  %.532.i = tail call contract float @llvm.fmuladd.f32(float %.146.i, float %.428.i, float %.531.i)
  %.533.i = tail call contract float @llvm.fmuladd.f32(float %.150.i, float %.437.i, float %.532.i)
  store float %.533.i, ptr %.524.i, align 4, !alias.scope !49, !noalias !55
  %.540.i = getelementptr float, ptr %.276, i64 %.364.i
  %.541.i = load float, ptr %.540.i, align 4, !alias.scope !49, !noalias !55
  %.546.i = tail call contract float @llvm.fmuladd.f32(float %.138.i, float %.470.i, float %.541.i)
  %.547.i = tail call contract float @llvm.fmuladd.f32(float %.142.i, float %.479.i, float %.546.i)
  %.548.i = tail call contract float @llvm.fmuladd.f32(float %.146.i, float %.488.i, float %.547.i)
  %.549.i = tail call contract float @llvm.fmuladd.f32(float %.150.i, float %.497.i, float %.548.i)
  store float %.549.i, ptr %.540.i, align 4, !alias.scope !49, !noalias !55
  %.323.i = icmp samesign ugt i64 %.270.070.i, 1
  br i1 %.323.i, label %B308.if.i, label %B38.loopexit.i

_multiply_group.142.exit: ; preds = %B38.loopexit.i, %B120.if
  %.227 = icmp sgt i64 %.174.051, 1
  br i1 %.227, label %B120.if, label %common.ret
}

; Function Attrs: nofree norecurse nosync nounwind memory(argmem: readwrite, inaccessiblemem: readwrite)
define void @read_layer_integers(ptr noalias readonly %0, ptr noalias readonly %1, i64 %2, ptr noalias readonly %3, ptr noalias readonly %4, ptr noalias readonly %5, ptr noalias readonly %6, ptr noalias readonly %7, ptr noalias readonly %8, ptr noalias readonly %9, ptr noalias readonly %10, ptr noalias readonly %11, ptr noalias %12, ptr noalias %13, ptr noalias writeonly %14, ptr noalias %15, i64 %16, i64 %17, ptr noalias %18, ptr noalias %19, ptr noalias %20, i64 %21, i64 %22, i64 %23, float %24, float %25, i64 %26) local_unnamed_addr #0 {
  %.484.i = alloca ptr, align 8
  %.687.i = alloca ptr, align 8
  %.922.i = alloca ptr, align 8
  tail call void @llvm.experimental.noalias.scope.decl(metadata !56)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !59)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !61)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !63)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !65)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !67)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !69)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !71)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !73)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !75)
  store ptr null, ptr %.484.i, align 8, !noalias !77
  store ptr null, ptr %.687.i, align 8, !noalias !77
  store ptr null, ptr %.922.i, align 8, !noalias !77
  %.86.i = shl i64 %23, 2
  %.91.i = add nsw i64 %.86.i, 272
  %.184301.not.i = icmp slt i64 %2, 1
  br i1 %.184301.not.i, label %read_layer.140.exit, label %B100.if.lr.ph.i

B100.if.lr.ph.i:                                  ; preds = %27
  %.266.i = getelementptr i64, ptr %1, i64 %2
  %.9234.not.i.i = icmp slt i64 %.86.i, 1
  %28 = shl i64 %23, 4
  %.10760.not.i.i = icmp slt i64 %23, 1
  %.183.i.i = shl nuw nsw i64 %23, 1
  %.206.i278.i = mul nuw nsw i64 %23, 3
  %.630.i.i = fneg contract float %24
  %.152.i.i = fneg contract float %25
  %.987.not.i = icmp eq i64 %26, 0
  %.1031.i = add i64 %21, -1
  %storemerge272.i = tail call i64 @llvm.smax.i64(i64 %.1031.i, i64 0)
  %.1074298.not306.i = icmp slt i64 %.1031.i, 1
  %.9234.not.i283.i = icmp slt i64 %22, 1
  %29 = shl nuw i64 %22, 2
  br label %B100.if.i

B164.i:                                           ; preds = %B100.if.i
  %.263.i = add nsw i64 %.238.i, %16
  %.267.i = load i64, ptr %.266.i, align 8, !alias.scope !56, !noalias !87
  %.13.i.i = tail call i64 @llvm.smin.i64(i64 %.267.i, i64 %.263.i)
  %.305.i = sub nsw i64 %.13.i.i, %.238.i
  %.385289.not.i = icmp slt i64 %.305.i, 1
  br i1 %.385289.not.i, label %B328.i, label %B254.if.i

B328.i:                                           ; preds = %_copy.3.exit.i, %B164.i
  %.468.i = mul nsw i64 %.238.i, %22
  %.470.i = getelementptr float, ptr %0, i64 %.468.i
  store ptr null, ptr %.484.i, align 8, !noalias !77
  call fastcc void @multiply.4(ptr %.484.i, ptr readonly %.470.i, i64 %.305.i, i64 %22, ptr readonly %3, i64 %.86.i, ptr %15, i64 %.91.i, i64 %17)
  br label %B412.i

B412.i:                                           ; preds = %B100.if.i, %B328.i
  %first.2.1.i = phi i64 [ %first.3.0304.i, %B100.if.i ], [ %.238.i, %B328.i ]
  %last.3.1.i = phi i64 [ %last.2.0305.i, %B100.if.i ], [ %.13.i.i, %B328.i ]
  %storemerge270.i = tail call i64 @llvm.smax.i64(i64 %.248.i, i64 0)
  %.589292.not.i = icmp slt i64 %.248.i, 1
  br i1 %.589292.not.i, label %B820.i.critedge, label %B442.if.i

B514.i:                                           ; preds = %_clear.42.exit276.i
  %.663.i = icmp eq i64 %.248.i, 1
  %.86.arg.dim.i = select i1 %.663.i, i64 %.86.i, i64 %23
  store ptr null, ptr %.687.i, align 8, !noalias !77
  call fastcc void @_multiply_state.141(ptr %.687.i, ptr %12, i64 %.248.i, i64 %22, ptr readonly %5, ptr readonly %8, ptr readonly %9, i64 %.86.i, ptr %18, i64 %.91.i, i64 %.86.arg.dim.i)
  %.831.i = sub i64 %.238.i, %first.2.1.i
  br label %B612.if.i

B820.i.critedge:                                  ; preds = %B412.i
  store ptr null, ptr %.687.i, align 8, !noalias !77
  call fastcc void @_multiply_state.141(ptr %.687.i, ptr %12, i64 %.248.i, i64 %22, ptr readonly %5, ptr readonly %8, ptr readonly %9, i64 %.86.i, ptr %18, i64 %.91.i, i64 %23)
  br label %B820.i

B820.i:                                           ; preds = %_update_row.44.exit.i, %B820.i.critedge
  %.885.i = mul nsw i64 %.248.i, %22
  %.8934.not.i.i = icmp slt i64 %.885.i, 1
  br i1 %.8934.not.i.i, label %_finish_row.58.exit.critedge.i, label %B34.if.preheader.i.i

B34.if.preheader.i.i:                             ; preds = %B820.i
  %30 = shl nuw i64 %.885.i, 2
  tail call void @llvm.memset.p0.i64(ptr align 4 %20, i8 0, i64 %30, i1 false), !alias.scope !88, !noalias !91
  store ptr null, ptr %.922.i, align 8, !noalias !77
  call fastcc void @_multiply_state.141(ptr %.922.i, ptr %19, i64 %.248.i, i64 %23, ptr readonly %7, ptr readonly %10, ptr readonly %11, i64 %22, ptr %20, i64 %22, i64 %22)
  %.949.i = mul nsw i64 %.238.i, %22
  %.953.i = getelementptr float, ptr %14, i64 %.949.i
  tail call void @llvm.experimental.noalias.scope.decl(metadata !93)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !96)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !98)
  br label %B34.if.i.i

B34.if.i.i:                                       ; preds = %B34.if.i.i, %B34.if.preheader.i.i
  %.43.040.i.i = phi i64 [ %.885.i, %B34.if.preheader.i.i ], [ %.107.i.i, %B34.if.i.i ]
  %.40.039.i.i = phi i64 [ 0, %B34.if.preheader.i.i ], [ %.111.i.i, %B34.if.i.i ]
  %.107.i.i = add nsw i64 %.43.040.i.i, -1
  %.111.i.i = add nuw nsw i64 %.40.039.i.i, 1
  %.142.i.i = getelementptr float, ptr %20, i64 %.40.039.i.i
  %.143.i.i = load float, ptr %.142.i.i, align 4, !alias.scope !100, !noalias !101
  %.154.i.i = fcmp contract olt float %.143.i.i, %.152.i.i
  %.152..143.i.i = select i1 %.154.i.i, float %.152.i.i, float %.143.i.i
  %.178.i.i = fcmp contract ogt float %.152..143.i.i, %25
  %clipped_v59__vphi46_0.2.1.i.i = select i1 %.178.i.i, float %25, float %.152..143.i.i
  %.202.i.i = getelementptr float, ptr %12, i64 %.40.039.i.i
  store float %clipped_v59__vphi46_0.2.1.i.i, ptr %.202.i.i, align 4, !alias.scope !103, !noalias !104
  %.206.i.i = getelementptr float, ptr %.953.i, i64 %.40.039.i.i
  store float %clipped_v59__vphi46_0.2.1.i.i, ptr %.206.i.i, align 4, !alias.scope !105, !noalias !106
  %.98.i.i = icmp sgt i64 %.43.040.i.i, 1
  br i1 %.98.i.i, label %B34.if.i.i, label %_finish_row.58.exit.i

_finish_row.58.exit.critedge.i: ; preds = %B820.i
  store ptr null, ptr %.922.i, align 8, !noalias !77
  call fastcc void @_multiply_state.141(ptr %.922.i, ptr %19, i64 %.248.i, i64 %23, ptr readonly %7, ptr readonly %10, ptr readonly %11, i64 %22, ptr %20, i64 %22, i64 %22)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !93)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !96)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !98)
  br label %_finish_row.58.exit.i

_finish_row.58.exit.i: ; preds = %B34.if.i.i, %_finish_row.58.exit.critedge.i
  %.990.i = icmp ne i64 %.125.0303.i, 0
  %or.cond.not307.i = or i1 %.987.not.i, %.990.i
  %brmerge.i = select i1 %or.cond.not307.i, i1 true, i1 %.1074298.not306.i
  br i1 %brmerge.i, label %B1174.i, label %B1032.if.i

B1174.i:                                          ; preds = %_copy.3.exit288.i, %_finish_row.58.exit.i
  %.184.i = icmp sgt i64 %.128.0302.i, 1
  br i1 %.184.i, label %B100.if.i, label %read_layer.140.exit

B100.if.i:                                        ; preds = %B1174.i, %B100.if.lr.ph.i
  %last.2.0305.i = phi i64 [ 0, %B100.if.lr.ph.i ], [ %last.3.1.i, %B1174.i ]
  %first.3.0304.i = phi i64 [ 0, %B100.if.lr.ph.i ], [ %first.2.1.i, %B1174.i ]
  %.125.0303.i = phi i64 [ 0, %B100.if.lr.ph.i ], [ %.197.i, %B1174.i ]
  %.128.0302.i = phi i64 [ %2, %B100.if.lr.ph.i ], [ %.193.i, %B1174.i ]
  %.193.i = add nsw i64 %.128.0302.i, -1
  %.197.i = add nuw nsw i64 %.125.0303.i, 1
  %.237.i = getelementptr i64, ptr %1, i64 %.125.0303.i
  %.238.i = load i64, ptr %.237.i, align 8, !alias.scope !56, !noalias !87
  %.242.i = getelementptr i8, ptr %.237.i, i64 8
  %.243.i = load i64, ptr %.242.i, align 8, !alias.scope !56, !noalias !87
  %.248.i = sub nsw i64 %.243.i, %.238.i
  %.253.i = icmp sgt i64 %.243.i, %last.2.0305.i
  br i1 %.253.i, label %B164.i, label %B412.i

B254.if.i:                                        ; preds = %B164.i, %_copy.3.exit.i
  %.329.0291.i = phi i64 [ %.398.i, %_copy.3.exit.i ], [ 0, %B164.i ]
  %.332.0290.i = phi i64 [ %.394.i, %_copy.3.exit.i ], [ %.305.i, %B164.i ]
  %.394.i = add nsw i64 %.332.0290.i, -1
  %.398.i = add nuw nsw i64 %.329.0291.i, 1
  br i1 %.9234.not.i.i, label %_copy.3.exit.i, label %B34.if.preheader.i273.i

B34.if.preheader.i273.i:                          ; preds = %B254.if.i
  %31 = mul nuw nsw i64 %.329.0291.i, %.91.i
  %.427.i = getelementptr float, ptr %15, i64 %31
  tail call void @llvm.memcpy.p0.p0.i64(ptr align 4 %.427.i, ptr readonly align 4 %4, i64 %28, i1 false), !alias.scope !107, !noalias !111
  br label %_copy.3.exit.i

_copy.3.exit.i: ; preds = %B34.if.preheader.i273.i, %B254.if.i
  %.385.i = icmp sgt i64 %.332.0290.i, 1
  br i1 %.385.i, label %B254.if.i, label %B328.i

B442.if.i:                                        ; preds = %B412.i, %_clear.42.exit276.i
  %.536.0294.i = phi i64 [ %.598.i, %_clear.42.exit276.i ], [ %storemerge270.i, %B412.i ]
  %.533.0293.i = phi i64 [ %.602.i, %_clear.42.exit276.i ], [ 0, %B412.i ]
  %.598.i = add nsw i64 %.536.0294.i, -1
  %.602.i = add nuw nsw i64 %.533.0293.i, 1
  br i1 %.9234.not.i.i, label %_clear.42.exit276.i, label %B34.if.preheader.i275.i

B34.if.preheader.i275.i:                          ; preds = %B442.if.i
  %32 = mul nuw nsw i64 %.533.0293.i, %.91.i
  %.631.i = getelementptr float, ptr %18, i64 %32
  tail call void @llvm.memset.p0.i64(ptr align 4 %.631.i, i8 0, i64 %28, i1 false), !alias.scope !113, !noalias !116
  br label %_clear.42.exit276.i

_clear.42.exit276.i: ; preds = %B34.if.preheader.i275.i, %B442.if.i
  %.589.i = icmp sgt i64 %.536.0294.i, 1
  br i1 %.589.i, label %B442.if.i, label %B514.i

B612.if.i:                                        ; preds = %_update_row.44.exit.i, %B514.i
  %.738.0297.i = phi i64 [ %storemerge270.i, %B514.i ], [ %.800.i, %_update_row.44.exit.i ]
  %.735.0296.i = phi i64 [ 0, %B514.i ], [ %.804.i, %_update_row.44.exit.i ]
  %.800.i = add nsw i64 %.738.0297.i, -1
  %.804.i = add nuw nsw i64 %.735.0296.i, 1
  %.832.i = add nsw i64 %.831.i, %.735.0296.i
  %.834.i = mul nsw i64 %.832.i, %.91.i
  %.836.i = getelementptr float, ptr %15, i64 %.834.i
  %.838.i = mul nsw i64 %.735.0296.i, %23
  %.840.i = getelementptr float, ptr %13, i64 %.838.i
  %.844.i = getelementptr float, ptr %19, i64 %.838.i
  %.847.i = mul nsw i64 %.735.0296.i, %.91.i
  %.849.i = getelementptr float, ptr %18, i64 %.847.i
  tail call void @llvm.experimental.noalias.scope.decl(metadata !118)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !121)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !123)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !125)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !127)
  br i1 %.10760.not.i.i, label %_update_row.44.exit.i, label %B34.if.i279.i

B34.if.i279.i:                                    ; preds = %B612.if.i, %B34.if.i279.i
  %.52.062.i.i = phi i64 [ %.116.i.i, %B34.if.i279.i ], [ %23, %B612.if.i ]
  %.49.061.i.i = phi i64 [ %.120.i.i, %B34.if.i279.i ], [ 0, %B612.if.i ]
  %.116.i.i = add nsw i64 %.52.062.i.i, -1
  %.120.i.i = add nuw nsw i64 %.49.061.i.i, 1
  %.150.i.i = getelementptr float, ptr %.849.i, i64 %.49.061.i.i
  %.151.i.i = load float, ptr %.150.i.i, align 4, !alias.scope !129, !noalias !130
  %.154.i280.i = getelementptr float, ptr %6, i64 %.49.061.i.i
  %.155.i.i = load float, ptr %.154.i280.i, align 4, !alias.scope !132, !noalias !133
  %.156.i.i = fmul contract float %.151.i.i, %.155.i.i
  %.159.i.i = getelementptr float, ptr %.836.i, i64 %.49.061.i.i
  %.160.i.i = load float, ptr %.159.i.i, align 4, !alias.scope !134, !noalias !135
  %.161.i.i = fadd contract float %.156.i.i, %.160.i.i
  %.164.i.i = add nuw nsw i64 %.49.061.i.i, %23
  %.166.i.i = getelementptr float, ptr %.849.i, i64 %.164.i.i
  %.167.i.i = load float, ptr %.166.i.i, align 4, !alias.scope !129, !noalias !130
  %.172.i.i = getelementptr float, ptr %6, i64 %.164.i.i
  %.173.i.i = load float, ptr %.172.i.i, align 4, !alias.scope !132, !noalias !133
  %.174.i.i = fmul contract float %.167.i.i, %.173.i.i
  %.179.i.i = getelementptr float, ptr %.836.i, i64 %.164.i.i
  %.180.i.i = load float, ptr %.179.i.i, align 4, !alias.scope !134, !noalias !135
  %.181.i.i = fadd contract float %.174.i.i, %.180.i.i
  %.185.i.i = add nuw nsw i64 %.49.061.i.i, %.183.i.i
  %.187.i.i = getelementptr float, ptr %.849.i, i64 %.185.i.i
  %.188.i.i = load float, ptr %.187.i.i, align 4, !alias.scope !129, !noalias !130
  %.194.i.i = getelementptr float, ptr %6, i64 %.185.i.i
  %.195.i.i = load float, ptr %.194.i.i, align 4, !alias.scope !132, !noalias !133
  %.196.i.i = fmul contract float %.188.i.i, %.195.i.i
  %.202.i281.i = getelementptr float, ptr %.836.i, i64 %.185.i.i
  %.203.i.i = load float, ptr %.202.i281.i, align 4, !alias.scope !134, !noalias !135
  %.204.i.i = fadd contract float %.196.i.i, %.203.i.i
  %.208.i.i = add nuw nsw i64 %.49.061.i.i, %.206.i278.i
  %.210.i.i = getelementptr float, ptr %.849.i, i64 %.208.i.i
  %.211.i.i = load float, ptr %.210.i.i, align 4, !alias.scope !129, !noalias !130
  %.217.i.i = getelementptr float, ptr %6, i64 %.208.i.i
  %.218.i.i = load float, ptr %.217.i.i, align 4, !alias.scope !132, !noalias !133
  %.219.i.i = fmul contract float %.211.i.i, %.218.i.i
  %.225.i.i = getelementptr float, ptr %.836.i, i64 %.208.i.i
  %.226.i.i = load float, ptr %.225.i.i, align 4, !alias.scope !134, !noalias !135
  %.227.i.i = fadd contract float %.219.i.i, %.226.i.i
  %.236.i.i = getelementptr float, ptr %.840.i, i64 %.49.061.i.i
  %.237.i.i = load float, ptr %.236.i.i, align 4, !alias.scope !136, !noalias !137
  %.259.i.i = fcmp contract ogt float %.161.i.i, 2.800000e+01
  %.252.i.i = fneg contract float %.161.i.i
  %_next_cell_v45_exp_v46__exp_parts_v47__vphi74_0.2.1.i.i = select i1 %.259.i.i, float -2.800000e+01, float %.252.i.i
  %.282.i.i = fcmp contract ogt float %_next_cell_v45_exp_v46__exp_parts_v47__vphi74_0.2.1.i.i, 2.800000e+01
  %_next_cell_v45_exp_v46__exp_parts_v47__vphi146_0.2.1.i.i = select i1 %.282.i.i, float 2.800000e+01, float %_next_cell_v45_exp_v46__exp_parts_v47__vphi74_0.2.1.i.i
  %.301.i.i = fmul contract float %_next_cell_v45_exp_v46__exp_parts_v47__vphi146_0.2.1.i.i, 0x3FF7154760000000
  %.303.i.i = fadd contract float %.301.i.i, 0x4168000FE0000000
  %.305.i.i = fadd contract float %.303.i.i, 0xC168000FE0000000
  %.307.i.i = fmul contract float %.305.i.i, 0x3FE6300000000000
  %.308.i.i = fsub contract float %_next_cell_v45_exp_v46__exp_parts_v47__vphi146_0.2.1.i.i, %.307.i.i
  %.310.i.i = fmul contract float %.305.i.i, 0x3F2BD01060000000
  %33 = fadd contract float %.310.i.i, %.308.i.i
  %.313.i.i = fmul contract float %33, 0x3F2A0D2CE0000000
  %.315.i.i = fadd contract float %.313.i.i, 0x3F56E879C0000000
  %.316.i.i = fmul contract float %33, %.315.i.i
  %.318.i.i = fadd contract float %.316.i.i, 0x3F81112100000000
  %.319.i.i = fmul contract float %33, %.318.i.i
  %.321.i.i = fadd contract float %.319.i.i, 0x3FA5553820000000
  %.322.i.i = fmul contract float %33, %.321.i.i
  %.324.i.i = fadd contract float %.322.i.i, 0x3FC5555540000000
  %.325.i.i = fmul contract float %33, %.324.i.i
  %.327.i.i = fadd contract float %.325.i.i, 5.000000e-01
  %.328.i.i = fmul contract float %33, %33
  %.329.i.i = fmul contract float %.328.i.i, %.327.i.i
  %.330.i.i = fadd contract float %33, %.329.i.i
  %.331.i.i = bitcast float %.303.i.i to i32
  %.335.i.i = shl i32 %.331.i.i, 23
  %.337.i.i = bitcast i32 %.335.i.i to float
  %.359.i.i = fadd contract float %.330.i.i, 1.000000e+00
  %.360.i.i = fmul contract float %.359.i.i, %.337.i.i
  %.366.i.i = fmul contract float %.181.i.i, -2.000000e+00
  %.375.i.i = fcmp contract olt float %.366.i.i, -2.800000e+01
  %_next_cell_v45_exp_v48__exp_parts_v49__vphi74_0.2.1.i.i = select i1 %.375.i.i, float -2.800000e+01, float %.366.i.i
  %.398.i.i = fcmp contract ogt float %_next_cell_v45_exp_v48__exp_parts_v49__vphi74_0.2.1.i.i, 2.800000e+01
  %_next_cell_v45_exp_v48__exp_parts_v49__vphi146_0.2.1.i.i = select i1 %.398.i.i, float 2.800000e+01, float %_next_cell_v45_exp_v48__exp_parts_v49__vphi74_0.2.1.i.i
  %.417.i.i = fmul contract float %_next_cell_v45_exp_v48__exp_parts_v49__vphi146_0.2.1.i.i, 0x3FF7154760000000
  %.419.i.i = fadd contract float %.417.i.i, 0x4168000FE0000000
  %.421.i.i = fadd contract float %.419.i.i, 0xC168000FE0000000
  %.423.i.i = fmul contract float %.421.i.i, 0x3FE6300000000000
  %.424.i.i = fsub contract float %_next_cell_v45_exp_v48__exp_parts_v49__vphi146_0.2.1.i.i, %.423.i.i
  %.426.i.i = fmul contract float %.421.i.i, 0x3F2BD01060000000
  %34 = fadd contract float %.426.i.i, %.424.i.i
  %.429.i.i = fmul contract float %34, 0x3F2A0D2CE0000000
  %.431.i.i = fadd contract float %.429.i.i, 0x3F56E879C0000000
  %.432.i.i = fmul contract float %34, %.431.i.i
  %.434.i.i = fadd contract float %.432.i.i, 0x3F81112100000000
  %.435.i.i = fmul contract float %34, %.434.i.i
  %.437.i.i = fadd contract float %.435.i.i, 0x3FA5553820000000
  %.438.i.i = fmul contract float %34, %.437.i.i
  %.440.i.i = fadd contract float %.438.i.i, 0x3FC5555540000000
  %.441.i.i = fmul contract float %34, %.440.i.i
  %.443.i.i = fadd contract float %.441.i.i, 5.000000e-01
  %.444.i.i = fmul contract float %34, %34
  %.445.i.i = fmul contract float %.444.i.i, %.443.i.i
  %.446.i.i = fadd contract float %34, %.445.i.i
  %.447.i.i = bitcast float %.419.i.i to i32
  %.451.i.i = shl i32 %.447.i.i, 23
  %.453.i.i = bitcast i32 %.451.i.i to float
  %.475.i.i = fadd contract float %.446.i.i, 1.000000e+00
  %.476.i.i = fmul contract float %.475.i.i, %.453.i.i
  %.491.i.i = fcmp contract ogt float %.204.i.i, 2.800000e+01
  %.482.i.i = fneg contract float %.204.i.i
  %_next_cell_v45_exp_v50__exp_parts_v51__vphi74_0.2.1.i.i = select i1 %.491.i.i, float -2.800000e+01, float %.482.i.i
  %.514.i.i = fcmp contract ogt float %_next_cell_v45_exp_v50__exp_parts_v51__vphi74_0.2.1.i.i, 2.800000e+01
  %_next_cell_v45_exp_v50__exp_parts_v51__vphi146_0.2.1.i.i = select i1 %.514.i.i, float 2.800000e+01, float %_next_cell_v45_exp_v50__exp_parts_v51__vphi74_0.2.1.i.i
  %.533.i.i = fmul contract float %_next_cell_v45_exp_v50__exp_parts_v51__vphi146_0.2.1.i.i, 0x3FF7154760000000
  %.535.i.i = fadd contract float %.533.i.i, 0x4168000FE0000000
  %.537.i.i = fadd contract float %.535.i.i, 0xC168000FE0000000
  %.539.i.i = fmul contract float %.537.i.i, 0x3FE6300000000000
  %.540.i.i = fsub contract float %_next_cell_v45_exp_v50__exp_parts_v51__vphi146_0.2.1.i.i, %.539.i.i
  %.542.i.i = fmul contract float %.537.i.i, 0x3F2BD01060000000
  %35 = fadd contract float %.542.i.i, %.540.i.i
  %.545.i.i = fmul contract float %35, 0x3F2A0D2CE0000000
  %.547.i.i = fadd contract float %.545.i.i, 0x3F56E879C0000000
  %.548.i.i = fmul contract float %35, %.547.i.i
  %.550.i.i = fadd contract float %.548.i.i, 0x3F81112100000000
  %.551.i.i = fmul contract float %35, %.550.i.i
  %.553.i.i = fadd contract float %.551.i.i, 0x3FA5553820000000
  %.554.i.i = fmul contract float %35, %.553.i.i
  %.556.i.i = fadd contract float %.554.i.i, 0x3FC5555540000000
  %.557.i.i = fmul contract float %35, %.556.i.i
  %.559.i.i = fadd contract float %.557.i.i, 5.000000e-01
  %.560.i.i = fmul contract float %35, %35
  %.561.i.i = fmul contract float %.560.i.i, %.559.i.i
  %.562.i.i = fadd contract float %35, %.561.i.i
  %.563.i.i = bitcast float %.535.i.i to i32
  %.567.i.i = shl i32 %.563.i.i, 23
  %.569.i.i = bitcast i32 %.567.i.i to float
  %.591.i.i = fadd contract float %.562.i.i, 1.000000e+00
  %.592.i.i = fmul contract float %.591.i.i, %.569.i.i
  %.600.i.i = fadd contract float %.360.i.i, 1.000000e+00
  %.602.i.i = fadd contract float %.476.i.i, 1.000000e+00
  %.603.i.i = fmul contract float %.600.i.i, %.602.i.i
  %.605.i.i = fadd contract float %.592.i.i, 1.000000e+00
  %.608.i.i = fmul contract float %.237.i.i, %.603.i.i
  %.612.i.i = fsub contract float 1.000000e+00, %.476.i.i
  %.613.i.i = fmul contract float %.612.i.i, %.605.i.i
  %.614.i.i = fadd contract float %.608.i.i, %.613.i.i
  %.615.i.i = fmul contract float %.603.i.i, %.605.i.i
  %.619.i.i = fdiv contract float %.614.i.i, %.615.i.i
  %.632.i.i = fcmp contract olt float %.619.i.i, %.630.i.i
  %_next_cell_v45_clipped_v52__vphi26_0.2.1.i.i = select i1 %.632.i.i, float %.630.i.i, float %.619.i.i
  %.656.i.i = fcmp contract ogt float %_next_cell_v45_clipped_v52__vphi26_0.2.1.i.i, %24
  %_next_cell_v45_clipped_v52__vphi46_0.2.1.i.i = select i1 %.656.i.i, float %24, float %_next_cell_v45_clipped_v52__vphi26_0.2.1.i.i
  store float %_next_cell_v45_clipped_v52__vphi46_0.2.1.i.i, ptr %.236.i.i, align 4, !alias.scope !136, !noalias !137
  %.697.i.i = fcmp contract ogt float %.227.i.i, 2.800000e+01
  %.690.i.i = fneg contract float %.227.i.i
  %_cell_output_v53_exp_v54__exp_parts_v55__vphi74_0.2.1.i.i = select i1 %.697.i.i, float -2.800000e+01, float %.690.i.i
  %.720.i.i = fcmp contract ogt float %_cell_output_v53_exp_v54__exp_parts_v55__vphi74_0.2.1.i.i, 2.800000e+01
  %_cell_output_v53_exp_v54__exp_parts_v55__vphi146_0.2.1.i.i = select i1 %.720.i.i, float 2.800000e+01, float %_cell_output_v53_exp_v54__exp_parts_v55__vphi74_0.2.1.i.i
  %.739.i.i = fmul contract float %_cell_output_v53_exp_v54__exp_parts_v55__vphi146_0.2.1.i.i, 0x3FF7154760000000
  %.741.i.i = fadd contract float %.739.i.i, 0x4168000FE0000000
  %.743.i.i = fadd contract float %.741.i.i, 0xC168000FE0000000
  %.745.i.i = fmul contract float %.743.i.i, 0x3FE6300000000000
  %.746.i.i = fsub contract float %_cell_output_v53_exp_v54__exp_parts_v55__vphi146_0.2.1.i.i, %.745.i.i
  %.748.i.i = fmul contract float %.743.i.i, 0x3F2BD01060000000
  %36 = fadd contract float %.748.i.i, %.746.i.i
  %.751.i.i = fmul contract float %36, 0x3F2A0D2CE0000000
  %.753.i.i = fadd contract float %.751.i.i, 0x3F56E879C0000000
  %.754.i.i = fmul contract float %36, %.753.i.i
  %.756.i.i = fadd contract float %.754.i.i, 0x3F81112100000000
  %.757.i.i = fmul contract float %36, %.756.i.i
  %.759.i.i = fadd contract float %.757.i.i, 0x3FA5553820000000
  %.760.i.i = fmul contract float %36, %.759.i.i
  %.762.i.i = fadd contract float %.760.i.i, 0x3FC5555540000000
  %.763.i.i = fmul contract float %36, %.762.i.i
  %.765.i.i = fadd contract float %.763.i.i, 5.000000e-01
  %.766.i.i = fmul contract float %36, %36
  %.767.i.i = fmul contract float %.766.i.i, %.765.i.i
  %.768.i.i = fadd contract float %36, %.767.i.i
  %.769.i.i = bitcast float %.741.i.i to i32
  %.773.i.i = shl i32 %.769.i.i, 23
  %.775.i.i = bitcast i32 %.773.i.i to float
  %.797.i.i = fadd contract float %.768.i.i, 1.000000e+00
  %.798.i.i = fmul contract float %.797.i.i, %.775.i.i
  %.805.i.i = fmul contract float %_next_cell_v45_clipped_v52__vphi46_0.2.1.i.i, -2.000000e+00
  %.814.i.i = fcmp contract olt float %.805.i.i, -2.800000e+01
  %_cell_output_v53_exp_v56__exp_parts_v57__vphi74_0.2.1.i.i = select i1 %.814.i.i, float -2.800000e+01, float %.805.i.i
  %.837.i.i = fcmp contract ogt float %_cell_output_v53_exp_v56__exp_parts_v57__vphi74_0.2.1.i.i, 2.800000e+01
  %_cell_output_v53_exp_v56__exp_parts_v57__vphi146_0.2.1.i.i = select i1 %.837.i.i, float 2.800000e+01, float %_cell_output_v53_exp_v56__exp_parts_v57__vphi74_0.2.1.i.i
  %.856.i.i = fmul contract float %_cell_output_v53_exp_v56__exp_parts_v57__vphi146_0.2.1.i.i, 0x3FF7154760000000
  %.858.i.i = fadd contract float %.856.i.i, 0x4168000FE0000000
  %.860.i.i = fadd contract float %.858.i.i, 0xC168000FE0000000
  %.862.i.i = fmul contract float %.860.i.i, 0x3FE6300000000000
  %.863.i.i = fsub contract float %_cell_output_v53_exp_v56__exp_parts_v57__vphi146_0.2.1.i.i, %.862.i.i
  %.865.i.i = fmul contract float %.860.i.i, 0x3F2BD01060000000
  %37 = fadd contract float %.865.i.i, %.863.i.i
  %.868.i.i = fmul contract float %37, 0x3F2A0D2CE0000000
  %.870.i.i = fadd contract float %.868.i.i, 0x3F56E879C0000000
  %.871.i.i = fmul contract float %37, %.870.i.i
  %.873.i.i = fadd contract float %.871.i.i, 0x3F81112100000000
  %.874.i.i = fmul contract float %37, %.873.i.i
  %.876.i.i = fadd contract float %.874.i.i, 0x3FA5553820000000
  %.877.i.i = fmul contract float %37, %.876.i.i
  %.879.i.i = fadd contract float %.877.i.i, 0x3FC5555540000000
  %.880.i.i = fmul contract float %37, %.879.i.i
  %.882.i.i = fadd contract float %.880.i.i, 5.000000e-01
  %.883.i.i = fmul contract float %37, %37
  %.884.i.i = fmul contract float %.883.i.i, %.882.i.i
  %.885.i.i = fadd contract float %37, %.884.i.i
  %.886.i.i = bitcast float %.858.i.i to i32
  %.890.i.i = shl i32 %.886.i.i, 23
  %.892.i.i = bitcast i32 %.890.i.i to float
  %.914.i.i = fadd contract float %.885.i.i, 1.000000e+00
  %.915.i.i = fmul contract float %.914.i.i, %.892.i.i
  %.920.i.i = fsub contract float 1.000000e+00, %.915.i.i
  %.922.i.i = fadd contract float %.798.i.i, 1.000000e+00
  %.924.i.i = fadd contract float %.915.i.i, 1.000000e+00
  %.925.i.i = fmul contract float %.922.i.i, %.924.i.i
  %.929.i.i = fdiv contract float %.920.i.i, %.925.i.i
  %.932.i.i = getelementptr float, ptr %.844.i, i64 %.49.061.i.i
  store float %.929.i.i, ptr %.932.i.i, align 4, !alias.scope !138, !noalias !139
  %.107.i282.i = icmp sgt i64 %.52.062.i.i, 1
  br i1 %.107.i282.i, label %B34.if.i279.i, label %_update_row.44.exit.i

_update_row.44.exit.i: ; preds = %B34.if.i279.i, %B612.if.i
  %.791.i = icmp sgt i64 %.738.0297.i, 1
  br i1 %.791.i, label %B612.if.i, label %B820.i

B1032.if.i:                                       ; preds = %_finish_row.58.exit.i, %_copy.3.exit288.i
  %.1021.0300.i = phi i64 [ %.1083.i, %_copy.3.exit288.i ], [ %storemerge272.i, %_finish_row.58.exit.i ]
  %.1018.0299.i = phi i64 [ %.1087.i, %_copy.3.exit288.i ], [ 1, %_finish_row.58.exit.i ]
  %.1083.i = add nsw i64 %.1021.0300.i, -1
  %.1087.i = add nuw i64 %.1018.0299.i, 1
  br i1 %.9234.not.i283.i, label %_copy.3.exit285.i, label %B34.if.preheader.i284.i

B34.if.preheader.i284.i:                          ; preds = %B1032.if.i
  %.1114.i = mul nsw i64 %.1018.0299.i, %22
  %.1116.i = getelementptr float, ptr %12, i64 %.1114.i
  tail call void @llvm.memcpy.p0.p0.i64(ptr align 4 %.1116.i, ptr readonly align 4 %12, i64 %29, i1 false), !alias.scope !140, !noalias !144
  br label %_copy.3.exit285.i

_copy.3.exit285.i: ; preds = %B34.if.preheader.i284.i, %B1032.if.i
  br i1 %.10760.not.i.i, label %_copy.3.exit288.i, label %B34.if.preheader.i287.i

B34.if.preheader.i287.i:                          ; preds = %_copy.3.exit285.i
  %.1145.i = mul nsw i64 %.1018.0299.i, %23
  %.1147.i = getelementptr float, ptr %13, i64 %.1145.i
  tail call void @llvm.memcpy.p0.p0.i64(ptr align 4 %.1147.i, ptr readonly align 4 %13, i64 %.86.i, i1 false), !alias.scope !146, !noalias !150
  br label %_copy.3.exit288.i

_copy.3.exit288.i: ; preds = %B34.if.preheader.i287.i, %_copy.3.exit285.i
  %.1074.i = icmp sgt i64 %.1021.0300.i, 1
  br i1 %.1074.i, label %B1032.if.i, label %B1174.i

read_layer.140.exit: ; preds = %B1174.i, %27
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.smin.i64(i64, i64) #2

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.smax.i64(i64, i64) #2

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite)
declare void @llvm.experimental.noalias.scope.decl(metadata) #3

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: write)
declare void @llvm.memset.p0.i64(ptr writeonly, i8, i64, i1 immarg) #4

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: readwrite)
declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly, ptr noalias readonly, i64, i1 immarg) #5

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)

attributes #0 = { nofree norecurse nosync nounwind memory(argmem: readwrite, inaccessiblemem: readwrite) }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #3 = { nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite) }
attributes #4 = { nocallback nofree nounwind willreturn memory(argmem: write) }
attributes #5 = { nocallback nofree nounwind willreturn memory(argmem: readwrite) }
attributes #6 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }

!0 = !{!"branch_weights", i32 1, i32 99}
!1 = !{!2}
!2 = distinct !{!2, !3, !"_multiply_row.5: %arg.a"}
!3 = distinct !{!3, !"_multiply_row.5"}
!4 = !{!5}
!5 = distinct !{!5, !3, !"_multiply_row.5: %arg.weight"}
!6 = !{!7}
!7 = distinct !{!7, !3, !"_multiply_row.5: %arg.out"}
!8 = !{!9, !5, !7}
!9 = distinct !{!9, !3, !"_multiply_row.5: %retptr"}
!10 = !{!9, !2, !7}
!11 = !{!9, !2, !5}
!12 = !{!13}
!13 = distinct !{!13, !14, !"_multiply_four.27: %arg.a"}
!14 = distinct !{!14, !"_multiply_four.27"}
!15 = !{!16}
!16 = distinct !{!16, !14, !"_multiply_four.27: %arg.b"}
!17 = !{!18}
!18 = distinct !{!18, !14, !"_multiply_four.27: %arg.c"}
!19 = !{!20}
!20 = distinct !{!20, !14, !"_multiply_four.27: %arg.d"}
!21 = !{!22}
!22 = distinct !{!22, !14, !"_multiply_four.27: %arg.weight"}
!23 = !{!24}
!24 = distinct !{!24, !14, !"_multiply_four.27: %arg.out_a"}
!25 = !{!26}
!26 = distinct !{!26, !14, !"_multiply_four.27: %arg.out_b"}
!27 = !{!28}
!28 = distinct !{!28, !14, !"_multiply_four.27: %arg.out_c"}
!29 = !{!30}
!30 = distinct !{!30, !14, !"_multiply_four.27: %arg.out_d"}
!31 = !{!32, !16, !18, !20, !22, !24, !26, !28, !30}
!32 = distinct !{!32, !14, !"_multiply_four.27: %retptr"}
!33 = !{!32, !13, !18, !20, !22, !24, !26, !28, !30}
!34 = !{!32, !13, !16, !20, !22, !24, !26, !28, !30}
!35 = !{!32, !13, !16, !18, !22, !24, !26, !28, !30}
!36 = !{!32, !13, !16, !18, !20, !24, !26, !28, !30}
!37 = !{!32, !13, !16, !18, !20, !22, !26, !28, !30}
!38 = !{!32, !13, !16, !18, !20, !22, !24, !28, !30}
!39 = !{!32, !13, !16, !18, !20, !22, !24, !26, !30}
!40 = !{!32, !13, !16, !18, !20, !22, !24, !26, !28}
!41 = !{!"branch_weights", i32 99, i32 1}
!42 = !{!43}
!43 = distinct !{!43, !44, !"_multiply_group.142: %arg.a"}
!44 = distinct !{!44, !"_multiply_group.142"}
!45 = !{!46}
!46 = distinct !{!46, !44, !"_multiply_group.142: %arg.pairs"}
!47 = !{!48}
!48 = distinct !{!48, !44, !"_multiply_group.142: %arg.scales"}
!49 = !{!50}
!50 = distinct !{!50, !44, !"_multiply_group.142: %arg.out"}
!51 = !{!52, !46, !48, !50}
!52 = distinct !{!52, !44, !"_multiply_group.142: %retptr"}
!53 = !{!52, !43, !46, !50}
!54 = !{!52, !43, !48, !50}
!55 = !{!52, !43, !46, !48}
!56 = !{!57}
!57 = distinct !{!57, !58, !"read_layer.140: %arg.starts"}
!58 = distinct !{!58, !"read_layer.140"}
!59 = !{!60}
!60 = distinct !{!60, !58, !"read_layer.140: %arg.bias"}
!61 = !{!62}
!62 = distinct !{!62, !58, !"read_layer.140: %arg.scales"}
!63 = !{!64}
!64 = distinct !{!64, !58, !"read_layer.140: %arg.h"}
!65 = !{!66}
!66 = distinct !{!66, !58, !"read_layer.140: %arg.c"}
!67 = !{!68}
!68 = distinct !{!68, !58, !"read_layer.140: %arg.out"}
!69 = !{!70}
!70 = distinct !{!70, !58, !"read_layer.140: %arg.inputs"}
!71 = !{!72}
!72 = distinct !{!72, !58, !"read_layer.140: %arg.gates"}
!73 = !{!74}
!74 = distinct !{!74, !58, !"read_layer.140: %arg.hidden"}
!75 = !{!76}
!76 = distinct !{!76, !58, !"read_layer.140: %arg.projected"}
!77 = !{!78, !79, !57, !80, !60, !81, !62, !82, !83, !84, !85, !86, !64, !66, !68, !70, !72, !74, !76}
!78 = distinct !{!78, !58, !"read_layer.140: %retptr"}
!79 = distinct !{!79, !58, !"read_layer.140: %arg.x"}
!80 = distinct !{!80, !58, !"read_layer.140: %arg.from_input"}
!81 = distinct !{!81, !58, !"read_layer.140: %arg.from_state"}
!82 = distinct !{!82, !58, !"read_layer.140: %arg.projection"}
!83 = distinct !{!83, !58, !"read_layer.140: %arg.state_pairs"}
!84 = distinct !{!84, !58, !"read_layer.140: %arg.state_scales"}
!85 = distinct !{!85, !58, !"read_layer.140: %arg.projection_pairs"}
!86 = distinct !{!86, !58, !"read_layer.140: %arg.projection_scales"}
!87 = !{!78, !79, !80, !60, !81, !62, !82, !83, !84, !85, !86, !64, !66, !68, !70, !72, !74, !76}
!88 = !{!89, !76}
!89 = distinct !{!89, !90, !"_clear.42: %arg.target"}
!90 = distinct !{!90, !"_clear.42"}
!91 = !{!92, !78, !79, !57, !80, !60, !81, !62, !82, !83, !84, !85, !86, !64, !66, !68, !70, !72, !74}
!92 = distinct !{!92, !90, !"_clear.42: %retptr"}
!93 = !{!94}
!94 = distinct !{!94, !95, !"_finish_row.58: %arg.projected"}
!95 = distinct !{!95, !"_finish_row.58"}
!96 = !{!97}
!97 = distinct !{!97, !95, !"_finish_row.58: %arg.h"}
!98 = !{!99}
!99 = distinct !{!99, !95, !"_finish_row.58: %arg.out"}
!100 = !{!94, !76}
!101 = !{!102, !97, !99, !78, !79, !57, !80, !60, !81, !62, !82, !83, !84, !85, !86, !64, !66, !68, !70, !72, !74}
!102 = distinct !{!102, !95, !"_finish_row.58: %retptr"}
!103 = !{!97, !64}
!104 = !{!102, !94, !99, !78, !79, !57, !80, !60, !81, !62, !82, !83, !84, !85, !86, !66, !68, !70, !72, !74, !76}
!105 = !{!99, !68}
!106 = !{!102, !94, !97, !78, !79, !57, !80, !60, !81, !62, !82, !83, !84, !85, !86, !64, !66, !70, !72, !74, !76}
!107 = !{!108, !110, !60, !70}
!108 = distinct !{!108, !109, !"_copy.3: %arg.source"}
!109 = distinct !{!109, !"_copy.3"}
!110 = distinct !{!110, !109, !"_copy.3: %arg.target"}
!111 = !{!112, !78, !79, !57, !80, !81, !62, !82, !83, !84, !85, !86, !64, !66, !68, !72, !74, !76}
!112 = distinct !{!112, !109, !"_copy.3: %retptr"}
!113 = !{!114, !72}
!114 = distinct !{!114, !115, !"_clear.42: %arg.target"}
!115 = distinct !{!115, !"_clear.42"}
!116 = !{!117, !78, !79, !57, !80, !60, !81, !62, !82, !83, !84, !85, !86, !64, !66, !68, !70, !74, !76}
!117 = distinct !{!117, !115, !"_clear.42: %retptr"}
!118 = !{!119}
!119 = distinct !{!119, !120, !"_update_row.44: %arg.product"}
!120 = distinct !{!120, !"_update_row.44"}
!121 = !{!122}
!122 = distinct !{!122, !120, !"_update_row.44: %arg.scales"}
!123 = !{!124}
!124 = distinct !{!124, !120, !"_update_row.44: %arg.given"}
!125 = !{!126}
!126 = distinct !{!126, !120, !"_update_row.44: %arg.cell"}
!127 = !{!128}
!128 = distinct !{!128, !120, !"_update_row.44: %arg.hidden"}
!129 = !{!119, !72}
!130 = !{!131, !122, !124, !126, !128, !78, !79, !57, !80, !60, !81, !62, !82, !83, !84, !85, !86, !64, !66, !68, !70, !74, !76}
!131 = distinct !{!131, !120, !"_update_row.44: %retptr"}
!132 = !{!122, !62}
!133 = !{!131, !119, !124, !126, !128, !78, !79, !57, !80, !60, !81, !82, !83, !84, !85, !86, !64, !66, !68, !70, !72, !74, !76}
!134 = !{!124, !70}
!135 = !{!131, !119, !122, !126, !128, !78, !79, !57, !80, !60, !81, !62, !82, !83, !84, !85, !86, !64, !66, !68, !72, !74, !76}
!136 = !{!126, !66}
!137 = !{!131, !119, !122, !124, !128, !78, !79, !57, !80, !60, !81, !62, !82, !83, !84, !85, !86, !64, !68, !70, !72, !74, !76}
!138 = !{!128, !74}
!139 = !{!131, !119, !122, !124, !126, !78, !79, !57, !80, !60, !81, !62, !82, !83, !84, !85, !86, !64, !66, !68, !70, !72, !76}
!140 = !{!141, !143, !64}
!141 = distinct !{!141, !142, !"_copy.3: %arg.source"}
!142 = distinct !{!142, !"_copy.3"}
!143 = distinct !{!143, !142, !"_copy.3: %arg.target"}
!144 = !{!145, !78, !79, !57, !80, !60, !81, !62, !82, !83, !84, !85, !86, !66, !68, !70, !72, !74, !76}
!145 = distinct !{!145, !142, !"_copy.3: %retptr"}
!146 = !{!147, !149, !66}
!147 = distinct !{!147, !148, !"_copy.3: %arg.source"}
!148 = distinct !{!148, !"_copy.3"}
!149 = distinct !{!149, !148, !"_copy.3: %arg.target"}
!150 = !{!151, !78, !79, !57, !80, !60, !81, !62, !82, !83, !84, !85, !86, !64, !68, !70, !72, !74, !76}
!151 = distinct !{!151, !148, !"_copy.3: %retptr"}

; loop: multiply_float32
; ModuleID = '<string>'
source_filename = "<string>"

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.fmuladd.f32(float, float, float) #0

; Function Attrs: nofree norecurse nosync nounwind memory(argmem: readwrite, inaccessiblemem: readwrite)
define void @multiply_float32(ptr noalias readonly %0, i64 %1, i64 %2, ptr noalias readonly %3, i64 %4, ptr noalias %5, i64 %6, i64 %7) local_unnamed_addr #1 {
  tail call void @llvm.experimental.noalias.scope.decl(metadata !0)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !3)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !5)
  %.30.i = add i64 %4, -1
  %.31.i = add i64 %.30.i, %7
  %.35.i = icmp eq i64 %7, 0
  br i1 %.35.i, label %B0.endif.i, label %B0.else.i, !prof !7

B52.loopexit.i:                                   ; preds = %B669.i, %B54.if.i
  %.155.i = icmp sgt i64 %.99.0124.i, 1
  br i1 %.155.i, label %B54.if.i, label %multiply.4.exit

B282.i:                                           ; preds = %B142.if.i
  tail call void @llvm.experimental.noalias.scope.decl(metadata !8)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !11)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !13)
  br i1 %.105156.i.not.i, label %B828.else.if.i.i, label %B44.if.i.i

B44.loopexit.i.i:                                 ; preds = %B294.if.i.i, %B44.if.i.i
  %.105.i.i = icmp sgt i64 %.50.0158.i.i, 1
  br i1 %.105.i.i, label %B44.if.i.i, label %B828.else.if.i.i

B872.loopexit.i.i:                                ; preds = %B960.if.i.i, %B872.if.i.i
  %.589.i.i = icmp sgt i64 %.536.0164.i.i, 1
  br i1 %.589.i.i, label %B872.if.i.i, label %B669.i

B44.if.i.i:                                       ; preds = %B282.i, %B44.loopexit.i.i
  %.50.0158.i.i = phi i64 [ %.114.i.i, %B44.loopexit.i.i ], [ %.84.i.i, %B282.i ]
  %.47.0157.i.i = phi i64 [ %.118.i.i, %B44.loopexit.i.i ], [ 0, %B282.i ]
  %.114.i.i = add nsw i64 %.50.0158.i.i, -1
  %.118.i.i = add nuw i64 %.47.0157.i.i, 8
  %.144.i.i = getelementptr float, ptr %.355.i, i64 %.47.0157.i.i
  %.145.i.i = load float, ptr %.144.i.i, align 4, !alias.scope !15, !noalias !16
  %.148.i.i = getelementptr i8, ptr %.144.i.i, i64 4
  %.149.i.i = load float, ptr %.148.i.i, align 4, !alias.scope !15, !noalias !16
  %.152.i.i = getelementptr i8, ptr %.144.i.i, i64 8
  %.153.i.i = load float, ptr %.152.i.i, align 4, !alias.scope !15, !noalias !16
  %.156.i.i = getelementptr i8, ptr %.144.i.i, i64 12
  %.157.i.i = load float, ptr %.156.i.i, align 4, !alias.scope !15, !noalias !16
  %.160.i.i = getelementptr i8, ptr %.144.i.i, i64 16
  %.161.i.i = load float, ptr %.160.i.i, align 4, !alias.scope !15, !noalias !16
  %.164.i.i = getelementptr i8, ptr %.144.i.i, i64 20
  %.165.i.i = load float, ptr %.164.i.i, align 4, !alias.scope !15, !noalias !16
  %.168.i.i = getelementptr i8, ptr %.144.i.i, i64 24
  %.169.i.i = load float, ptr %.168.i.i, align 4, !alias.scope !15, !noalias !16
  %.172.i.i = getelementptr i8, ptr %.144.i.i, i64 28
  %.173.i.i = load float, ptr %.172.i.i, align 4, !alias.scope !15, !noalias !16
  %.247.i.i = mul nsw i64 %.47.0157.i.i, %4
  %.249.i.i = getelementptr float, ptr %.364.i, i64 %.247.i.i
  br i1 %.452149.not.i.i, label %B44.loopexit.i.i, label %B294.if.i.i

B294.if.i.i:                                      ; preds = %B44.if.i.i, %B294.if.i.i
  %.280.0155.i.i = phi i64 [ %.342.i.i, %B294.if.i.i ], [ %storemerge148.i.i, %B44.if.i.i ]
  %.277.0154.i.i = phi i64 [ %.346.i.i, %B294.if.i.i ], [ 0, %B44.if.i.i ]
  %.342.i.i = add nsw i64 %.280.0155.i.i, -1
  %.346.i.i = add nuw nsw i64 %.277.0154.i.i, 1
  %.372.i.i = getelementptr float, ptr %.249.i.i, i64 %.277.0154.i.i
  %.373.i.i = load float, ptr %.372.i.i, align 4, !alias.scope !19, !noalias !20
  %.377.i.i = getelementptr float, ptr %.372.i.i, i64 %4
  %.378.i.i = load float, ptr %.377.i.i, align 4, !alias.scope !19, !noalias !20
  %.383.i.i = getelementptr i8, ptr %.372.i.i, i64 %.502.idx.i.i
  %.384.i.i = load float, ptr %.383.i.i, align 4, !alias.scope !19, !noalias !20
  %.389.i.i = getelementptr i8, ptr %.372.i.i, i64 %.508.idx.i.i
  %.390.i.i = load float, ptr %.389.i.i, align 4, !alias.scope !19, !noalias !20
  %.395.i.i = getelementptr i8, ptr %.372.i.i, i64 %.395.idx.i.i
  %.396.i.i = load float, ptr %.395.i.i, align 4, !alias.scope !19, !noalias !20
  %.401.i.i = getelementptr i8, ptr %.372.i.i, i64 %.401.idx.i.i
  %.402.i.i = load float, ptr %.401.i.i, align 4, !alias.scope !19, !noalias !20
  %.407.i.i = getelementptr i8, ptr %.372.i.i, i64 %.407.idx.i.i
  %.408.i.i = load float, ptr %.407.i.i, align 4, !alias.scope !19, !noalias !20
  %.413.i.i = getelementptr i8, ptr %.372.i.i, i64 %.413.idx.i.i
  %.414.i.i = load float, ptr %.413.i.i, align 4, !alias.scope !19, !noalias !20
  %.416.i.i = getelementptr float, ptr %gep.i, i64 %.277.0154.i.i
  %.417.i.i = load float, ptr %.416.i.i, align 4, !alias.scope !21, !noalias !22
  %.422.i.i = tail call contract float @llvm.fmuladd.f32(float %.145.i.i, float %.373.i.i, float %.417.i.i)
  %.423.i.i = tail call contract float @llvm.fmuladd.f32(float %.149.i.i, float %.378.i.i, float %.422.i.i)
  %.424.i.i = tail call contract float @llvm.fmuladd.f32(float %.153.i.i, float %.384.i.i, float %.423.i.i)
  %.425.i.i = tail call contract float @llvm.fmuladd.f32(float %.157.i.i, float %.390.i.i, float %.424.i.i)
  %.430.i.i = tail call contract float @llvm.fmuladd.f32(float %.161.i.i, float %.396.i.i, float %.425.i.i)
  %.431.i.i = tail call contract float @llvm.fmuladd.f32(float %.165.i.i, float %.402.i.i, float %.430.i.i)
  %.432.i.i = tail call contract float @llvm.fmuladd.f32(float %.169.i.i, float %.408.i.i, float %.431.i.i)
  %.433.i.i = tail call contract float @llvm.fmuladd.f32(float %.173.i.i, float %.414.i.i, float %.432.i.i)
  store float %.433.i.i, ptr %.416.i.i, align 4, !alias.scope !21, !noalias !22
  %.333.i.i = icmp sgt i64 %.280.0155.i.i, 1
  br i1 %.333.i.i, label %B294.if.i.i, label %B44.loopexit.i.i

B828.else.if.i.i:                                 ; preds = %B44.loopexit.i.i, %B282.i
  br i1 %.589162.not.i.i, label %B669.i, label %B872.if.i.i

B872.if.i.i:                                      ; preds = %B828.else.if.i.i, %B872.loopexit.i.i
  %.536.0164.i.i = phi i64 [ %.598.i.i, %B872.loopexit.i.i ], [ %.546.i.i, %B828.else.if.i.i ]
  %.533.0163.i.i = phi i64 [ %.602.i.i, %B872.loopexit.i.i ], [ %.506.i.i, %B828.else.if.i.i ]
  %.598.i.i = add nsw i64 %.536.0164.i.i, -1
  %.602.i.i = add nuw nsw i64 %.533.0163.i.i, 1
  %.628.i.i = getelementptr float, ptr %.355.i, i64 %.533.0163.i.i
  %.629.i.i = load float, ptr %.628.i.i, align 4, !alias.scope !15, !noalias !16
  %.631.i.i = mul nsw i64 %.533.0163.i.i, %4
  %.633.i.i = getelementptr float, ptr %.364.i, i64 %.631.i.i
  br i1 %.452149.not.i.i, label %B872.loopexit.i.i, label %B960.if.i.i

B960.if.i.i:                                      ; preds = %B872.if.i.i, %B960.if.i.i
  %.667.0161.i.i = phi i64 [ %.729.i.i, %B960.if.i.i ], [ %storemerge148.i.i, %B872.if.i.i ]
  %.664.0160.i.i = phi i64 [ %.733.i.i, %B960.if.i.i ], [ 0, %B872.if.i.i ]
  %.729.i.i = add nsw i64 %.667.0161.i.i, -1
  %.733.i.i = add nuw nsw i64 %.664.0160.i.i, 1
  %.759.i.i = getelementptr float, ptr %gep.i, i64 %.664.0160.i.i
  %.760.i.i = load float, ptr %.759.i.i, align 4, !alias.scope !21, !noalias !22
  %.762.i.i = getelementptr float, ptr %.633.i.i, i64 %.664.0160.i.i
  %.763.i.i = load float, ptr %.762.i.i, align 4, !alias.scope !19, !noalias !20
  %.765.i.i = tail call contract float @llvm.fmuladd.f32(float %.629.i.i, float %.763.i.i, float %.760.i.i)
  store float %.765.i.i, ptr %.759.i.i, align 4, !alias.scope !21, !noalias !22
  %.720.i.i = icmp sgt i64 %.667.0161.i.i, 1
  br i1 %.720.i.i, label %B960.if.i.i, label %B872.loopexit.i.i

B324.i:                                           ; preds = %B142.if.i
  %.424.i = getelementptr float, ptr %.355.i, i64 %2
  %.426.i = add nsw i64 %.375.i, -1
  %.13.i.i = tail call i64 @llvm.smin.i64(i64 %.426.i, i64 2)
  %.13.i107.i = tail call i64 @llvm.smin.i64(i64 %.426.i, i64 3)
  %.456.i = mul nsw i64 %.13.i.i, %2
  %.458.i = getelementptr float, ptr %.355.i, i64 %.456.i
  %.492.i = mul nsw i64 %.13.i107.i, %2
  %.494.i = getelementptr float, ptr %.355.i, i64 %.492.i
  %.497.i = getelementptr float, ptr %gep.i, i64 %6
  %.501.i = getelementptr i8, ptr %gep.i, i64 %.501.idx.i
  %.505.i = getelementptr i8, ptr %gep.i, i64 %.505.idx.i
  tail call void @llvm.experimental.noalias.scope.decl(metadata !23)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !26)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !28)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !30)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !32)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !34)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !36)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !38)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !40)
  br i1 %.123152.i.not.i, label %B934.else.if.i.i, label %B44.if.i112.i

B44.loopexit.i117.i:                              ; preds = %B470.if.i.i, %B44.if.i112.i
  %.123.i.i = icmp sgt i64 %.68.0154.i.i, 1
  br i1 %.123.i.i, label %B44.if.i112.i, label %B934.else.if.i.i

B978.loopexit.i.i:                                ; preds = %B1120.if.i.i, %B978.if.i.i
  %.734.i.i = icmp sgt i64 %.681.0160.i.i, 1
  br i1 %.734.i.i, label %B978.if.i.i, label %B669.i

B44.if.i112.i:                                    ; preds = %B324.i, %B44.loopexit.i117.i
  %.68.0154.i.i = phi i64 [ %.132.i.i, %B44.loopexit.i117.i ], [ %.102.i.i, %B324.i ]
  %.65.0153.i.i = phi i64 [ %.136.i.i, %B44.loopexit.i117.i ], [ 0, %B324.i ]
  %.132.i.i = add nsw i64 %.68.0154.i.i, -1
  %.136.i.i = add nuw i64 %.65.0153.i.i, 4
  %.162.i.i = getelementptr float, ptr %.355.i, i64 %.65.0153.i.i
  %.163.i.i = load float, ptr %.162.i.i, align 4, !alias.scope !42, !noalias !43
  %.164.i113.i = or disjoint i64 %.65.0153.i.i, 1
  %.166.i.i = getelementptr float, ptr %.355.i, i64 %.164.i113.i
  %.167.i.i = load float, ptr %.166.i.i, align 4, !alias.scope !42, !noalias !43
  %.168.i114.i = or disjoint i64 %.65.0153.i.i, 2
  %.170.i.i = getelementptr float, ptr %.355.i, i64 %.168.i114.i
  %.171.i.i = load float, ptr %.170.i.i, align 4, !alias.scope !42, !noalias !43
  %.172.i115.i = or disjoint i64 %.65.0153.i.i, 3
  %.174.i.i = getelementptr float, ptr %.355.i, i64 %.172.i115.i
  %.175.i.i = load float, ptr %.174.i.i, align 4, !alias.scope !42, !noalias !43
  %.213.i.i = getelementptr float, ptr %.424.i, i64 %.65.0153.i.i
  %.214.i.i = load float, ptr %.213.i.i, align 4, !alias.scope !45, !noalias !46
  %.217.i.i = getelementptr float, ptr %.424.i, i64 %.164.i113.i
  %.218.i.i = load float, ptr %.217.i.i, align 4, !alias.scope !45, !noalias !46
  %.221.i.i = getelementptr float, ptr %.424.i, i64 %.168.i114.i
  %.222.i.i = load float, ptr %.221.i.i, align 4, !alias.scope !45, !noalias !46
  %.225.i.i = getelementptr float, ptr %.424.i, i64 %.172.i115.i
  %.226.i.i = load float, ptr %.225.i.i, align 4, !alias.scope !45, !noalias !46
  %.264.i.i = getelementptr float, ptr %.458.i, i64 %.65.0153.i.i
  %.265.i.i = load float, ptr %.264.i.i, align 4, !alias.scope !47, !noalias !48
  %.268.i.i = getelementptr float, ptr %.458.i, i64 %.164.i113.i
  %.269.i.i = load float, ptr %.268.i.i, align 4, !alias.scope !47, !noalias !48
  %.272.i.i = getelementptr float, ptr %.458.i, i64 %.168.i114.i
  %.273.i.i = load float, ptr %.272.i.i, align 4, !alias.scope !47, !noalias !48
  %.276.i.i = getelementptr float, ptr %.458.i, i64 %.172.i115.i
  %.277.i.i = load float, ptr %.276.i.i, align 4, !alias.scope !47, !noalias !48
  %.315.i.i = getelementptr float, ptr %.494.i, i64 %.65.0153.i.i
  %.316.i.i = load float, ptr %.315.i.i, align 4, !alias.scope !49, !noalias !50
  %.319.i.i = getelementptr float, ptr %.494.i, i64 %.164.i113.i
  %.320.i.i = load float, ptr %.319.i.i, align 4, !alias.scope !49, !noalias !50
  %.323.i.i = getelementptr float, ptr %.494.i, i64 %.168.i114.i
  %.324.i.i = load float, ptr %.323.i.i, align 4, !alias.scope !49, !noalias !50
  %.327.i.i = getelementptr float, ptr %.494.i, i64 %.172.i115.i
  %.328.i.i = load float, ptr %.327.i.i, align 4, !alias.scope !49, !noalias !50
  %.366.i.i = mul nsw i64 %.65.0153.i.i, %4
  %.368.i.i = getelementptr float, ptr %.364.i, i64 %.366.i.i
  br i1 %.452149.not.i.i, label %B44.loopexit.i117.i, label %B470.if.i.i

B470.if.i.i:                                      ; preds = %B44.if.i112.i, %B470.if.i.i
  %.399.0151.i.i = phi i64 [ %.461.i.i, %B470.if.i.i ], [ %storemerge148.i.i, %B44.if.i112.i ]
  %.396.0150.i.i = phi i64 [ %.465.i.i, %B470.if.i.i ], [ 0, %B44.if.i112.i ]
  %.461.i.i = add nsw i64 %.399.0151.i.i, -1
  %.465.i.i = add nuw nsw i64 %.396.0150.i.i, 1
  %.491.i.i = getelementptr float, ptr %.368.i.i, i64 %.396.0150.i.i
  %.492.i.i = load float, ptr %.491.i.i, align 4, !alias.scope !51, !noalias !52
  %.496.i.i = getelementptr float, ptr %.491.i.i, i64 %4
  %.497.i.i = load float, ptr %.496.i.i, align 4, !alias.scope !51, !noalias !52
  %.502.i.i = getelementptr i8, ptr %.491.i.i, i64 %.502.idx.i.i
  %.503.i.i = load float, ptr %.502.i.i, align 4, !alias.scope !51, !noalias !52
  %.508.i.i = getelementptr i8, ptr %.491.i.i, i64 %.508.idx.i.i
  %.509.i.i = load float, ptr %.508.i.i, align 4, !alias.scope !51, !noalias !52
  %.511.i.i = getelementptr float, ptr %gep.i, i64 %.396.0150.i.i
  %.512.i.i = load float, ptr %.511.i.i, align 4, !alias.scope !53, !noalias !54
  %.517.i.i = tail call contract float @llvm.fmuladd.f32(float %.163.i.i, float %.492.i.i, float %.512.i.i)
  %.518.i.i = tail call contract float @llvm.fmuladd.f32(float %.167.i.i, float %.497.i.i, float %.517.i.i)
  %.519.i.i = tail call contract float @llvm.fmuladd.f32(float %.171.i.i, float %.503.i.i, float %.518.i.i)
  %.520.i.i = tail call contract float @llvm.fmuladd.f32(float %.175.i.i, float %.509.i.i, float %.519.i.i)
  store float %.520.i.i, ptr %.511.i.i, align 4, !alias.scope !53, !noalias !54
  %.525.i.i = getelementptr float, ptr %.497.i, i64 %.396.0150.i.i
  %.526.i.i = load float, ptr %.525.i.i, align 4, !alias.scope !55, !noalias !56
  %.531.i.i = tail call contract float @llvm.fmuladd.f32(float %.214.i.i, float %.492.i.i, float %.526.i.i)
  %.532.i.i = tail call contract float @llvm.fmuladd.f32(float %.218.i.i, float %.497.i.i, float %.531.i.i)
  %.533.i.i = tail call contract float @llvm.fmuladd.f32(float %.222.i.i, float %.503.i.i, float %.532.i.i)
  %.534.i.i = tail call contract float @llvm.fmuladd.f32(float %.226.i.i, float %.509.i.i, float %.533.i.i)
  store float %.534.i.i, ptr %.525.i.i, align 4, !alias.scope !55, !noalias !56
  %.539.i.i = getelementptr float, ptr %.501.i, i64 %.396.0150.i.i
  %.540.i.i = load float, ptr %.539.i.i, align 4, !alias.scope !57, !noalias !58
  %.545.i.i = tail call contract float @llvm.fmuladd.f32(float %.265.i.i, float %.492.i.i, float %.540.i.i)
  %.546.i116.i = tail call contract float @llvm.fmuladd.f32(float %.269.i.i, float %.497.i.i, float %.545.i.i)
  %.547.i.i = tail call contract float @llvm.fmuladd.f32(float %.273.i.i, float %.503.i.i, float %.546.i116.i)
  %.548.i.i = tail call contract float @llvm.fmuladd.f32(float %.277.i.i, float %.509.i.i, float %.547.i.i)
  store float %.548.i.i, ptr %.539.i.i, align 4, !alias.scope !57, !noalias !58
  %.553.i.i = getelementptr float, ptr %.505.i, i64 %.396.0150.i.i
  %.554.i.i = load float, ptr %.553.i.i, align 4, !alias.scope !59, !noalias !60
  %.559.i.i = tail call contract float @llvm.fmuladd.f32(float %.316.i.i, float %.492.i.i, float %.554.i.i)
  %.560.i.i = tail call contract float @llvm.fmuladd.f32(float %.320.i.i, float %.497.i.i, float %.559.i.i)
  %.561.i.i = tail call contract float @llvm.fmuladd.f32(float %.324.i.i, float %.503.i.i, float %.560.i.i)
  %.562.i.i = tail call contract float @llvm.fmuladd.f32(float %.328.i.i, float %.509.i.i, float %.561.i.i)
  store float %.562.i.i, ptr %.553.i.i, align 4, !alias.scope !59, !noalias !60
  %.452.i.i = icmp sgt i64 %.399.0151.i.i, 1
  br i1 %.452.i.i, label %B470.if.i.i, label %B44.loopexit.i117.i

B934.else.if.i.i:                                 ; preds = %B44.loopexit.i117.i, %B324.i
  br i1 %.734158.not.i.i, label %B669.i, label %B978.if.i.i

B978.if.i.i:                                      ; preds = %B934.else.if.i.i, %B978.loopexit.i.i
  %.681.0160.i.i = phi i64 [ %.743.i.i, %B978.loopexit.i.i ], [ %.691.i.i, %B934.else.if.i.i ]
  %.678.0159.i.i = phi i64 [ %.747.i.i, %B978.loopexit.i.i ], [ %.651.i.i, %B934.else.if.i.i ]
  %.743.i.i = add nsw i64 %.681.0160.i.i, -1
  %.747.i.i = add nuw nsw i64 %.678.0159.i.i, 1
  %.773.i.i = getelementptr float, ptr %.355.i, i64 %.678.0159.i.i
  %.774.i.i = load float, ptr %.773.i.i, align 4, !alias.scope !42, !noalias !43
  %.776.i.i = getelementptr float, ptr %.424.i, i64 %.678.0159.i.i
  %.777.i.i = load float, ptr %.776.i.i, align 4, !alias.scope !45, !noalias !46
  %.779.i.i = getelementptr float, ptr %.458.i, i64 %.678.0159.i.i
  %.780.i.i = load float, ptr %.779.i.i, align 4, !alias.scope !47, !noalias !48
  %.782.i.i = getelementptr float, ptr %.494.i, i64 %.678.0159.i.i
  %.783.i.i = load float, ptr %.782.i.i, align 4, !alias.scope !49, !noalias !50
  %.785.i.i = mul nsw i64 %.678.0159.i.i, %4
  %.787.i.i = getelementptr float, ptr %.364.i, i64 %.785.i.i
  br i1 %.452149.not.i.i, label %B978.loopexit.i.i, label %B1120.if.i.i

B1120.if.i.i:                                     ; preds = %B978.if.i.i, %B1120.if.i.i
  %.840.0157.i.i = phi i64 [ %.902.i.i, %B1120.if.i.i ], [ %storemerge148.i.i, %B978.if.i.i ]
  %.837.0156.i.i = phi i64 [ %.906.i.i, %B1120.if.i.i ], [ 0, %B978.if.i.i ]
  %.902.i.i = add nsw i64 %.840.0157.i.i, -1
  %.906.i.i = add nuw nsw i64 %.837.0156.i.i, 1
  %.932.i.i = getelementptr float, ptr %.787.i.i, i64 %.837.0156.i.i
  %.933.i.i = load float, ptr %.932.i.i, align 4, !alias.scope !51, !noalias !52
  %.935.i.i = getelementptr float, ptr %gep.i, i64 %.837.0156.i.i
  %.936.i.i = load float, ptr %.935.i.i, align 4, !alias.scope !53, !noalias !54
  %.938.i.i = tail call contract float @llvm.fmuladd.f32(float %.774.i.i, float %.933.i.i, float %.936.i.i)
  store float %.938.i.i, ptr %.935.i.i, align 4, !alias.scope !53, !noalias !54
  %.943.i.i = getelementptr float, ptr %.497.i, i64 %.837.0156.i.i
  %.944.i.i = load float, ptr %.943.i.i, align 4, !alias.scope !55, !noalias !56
  %.946.i.i = tail call contract float @llvm.fmuladd.f32(float %.777.i.i, float %.933.i.i, float %.944.i.i)
  store float %.946.i.i, ptr %.943.i.i, align 4, !alias.scope !55, !noalias !56
  %.951.i.i = getelementptr float, ptr %.501.i, i64 %.837.0156.i.i
  %.952.i.i = load float, ptr %.951.i.i, align 4, !alias.scope !57, !noalias !58
  %.954.i.i = tail call contract float @llvm.fmuladd.f32(float %.780.i.i, float %.933.i.i, float %.952.i.i)
  store float %.954.i.i, ptr %.951.i.i, align 4, !alias.scope !57, !noalias !58
  %.959.i.i = getelementptr float, ptr %.505.i, i64 %.837.0156.i.i
  %.960.i.i = load float, ptr %.959.i.i, align 4, !alias.scope !59, !noalias !60
  %.962.i.i = tail call contract float @llvm.fmuladd.f32(float %.783.i.i, float %.933.i.i, float %.960.i.i)
  store float %.962.i.i, ptr %.959.i.i, align 4, !alias.scope !59, !noalias !60
  %.893.i.i = icmp sgt i64 %.840.0157.i.i, 1
  br i1 %.893.i.i, label %B1120.if.i.i, label %B978.loopexit.i.i

B669.i:                                           ; preds = %B978.loopexit.i.i, %B872.loopexit.i.i, %B934.else.if.i.i, %B828.else.if.i.i
  %.314.i = icmp sgt i64 %.260.0121.i, 1
  br i1 %.314.i, label %B142.if.i, label %B52.loopexit.i

B0.else.i:                                        ; preds = %8
  %.46.i = icmp ne i64 %.31.i, -9223372036854775808
  %.47.i = icmp ne i64 %7, -1
  %.48.not.i = or i1 %.47.i, %.46.i
  br i1 %.48.not.i, label %B0.else.if.i, label %B0.endif.i, !prof !61

B0.endif.i:                                       ; preds = %B0.else.if.i, %B0.else.i, %8
  %quot.0.i = phi i64 [ 0, %8 ], [ %12, %B0.else.if.i ], [ 0, %B0.else.i ]
  %.155123.not.i = icmp eq i64 %quot.0.i, 0
  br i1 %.155123.not.i, label %multiply.4.exit, label %B54.if.lr.ph.i

B54.if.lr.ph.i:                                   ; preds = %B0.endif.i
  %9 = add nuw i64 %1, 3
  %.292.i = lshr i64 %9, 2
  %.271.inv.i = icmp sgt i64 %1, 0
  %storemerge106.i = select i1 %.271.inv.i, i64 %.292.i, i64 0
  %.314120.not.i = icmp eq i64 %storemerge106.i, 0
  %.501.idx.i = shl i64 %6, 3
  %.505.idx.i = mul i64 %6, 12
  %.79.i.i = icmp slt i64 %2, 4
  %.41.i.i = add nsw i64 %2, -3
  %10 = and i64 %.41.i.i, -9223372036854775805
  %.99.i.i = icmp sgt i64 %10, 0
  %.100161.i.i = lshr i64 %.41.i.i, 2
  %.101.i.i = zext i1 %.99.i.i to i64
  %.102.i.i = add nuw nsw i64 %.100161.i.i, %.101.i.i
  %.502.idx.i.i = shl i64 %4, 3
  %.508.idx.i.i = mul i64 %4, 12
  %.691.i.i = and i64 %2, 3
  %.734158.not.i.i = icmp eq i64 %.691.i.i, 0
  %.651.i.i = and i64 %2, -4
  %.61.i.i = icmp slt i64 %2, 8
  %.23.i.i = add nsw i64 %2, -7
  %11 = and i64 %.23.i.i, -9223372036854775801
  %.81.i.i = icmp sgt i64 %11, 0
  %.82165.i.i = lshr i64 %.23.i.i, 3
  %.83.i.i = zext i1 %.81.i.i to i64
  %.84.i.i = add nuw nsw i64 %.82165.i.i, %.83.i.i
  %.395.idx.i.i = shl i64 %4, 4
  %.401.idx.i.i = mul i64 %4, 20
  %.407.idx.i.i = mul i64 %4, 24
  %.413.idx.i.i = mul i64 %4, 28
  %.546.i.i = and i64 %2, 7
  %.589162.not.i.i = icmp eq i64 %.546.i.i, 0
  %.506.i.i = and i64 %2, -8
  %.123152.i.not129.i = icmp eq i64 %.102.i.i, 0
  %.123152.i.not.i = select i1 %.79.i.i, i1 true, i1 %.123152.i.not129.i
  %.105156.i.not130.i = icmp eq i64 %.84.i.i, 0
  %.105156.i.not.i = select i1 %.61.i.i, i1 true, i1 %.105156.i.not130.i
  br label %B54.if.i

B0.else.if.i:                                     ; preds = %B0.else.i
  %.51.i = sdiv i64 %.31.i, %7
  %.52.i = srem i64 %.31.i, %7
  %.53.i = xor i64 %.52.i, %7
  %.54.i = icmp slt i64 %.53.i, 0
  %.55.i = icmp ne i64 %.52.i, 0
  %.56.i = and i1 %.55.i, %.54.i
  %.61.i = sext i1 %.56.i to i64
  %spec.select.i = add i64 %.51.i, %.61.i
  %12 = tail call i64 @llvm.smax.i64(i64 %spec.select.i, i64 0)
  br label %B0.endif.i

B54.if.i:                                         ; preds = %B54.if.lr.ph.i, %B52.loopexit.i
  %.96.0125.i = phi i64 [ 0, %B54.if.lr.ph.i ], [ %.168.i, %B52.loopexit.i ]
  %.99.0124.i = phi i64 [ %quot.0.i, %B54.if.lr.ph.i ], [ %.164.i, %B52.loopexit.i ]
  %.164.i = add nsw i64 %.99.0124.i, -1
  %.168.i = add nuw nsw i64 %.96.0125.i, 1
  %13 = mul nsw i64 %.96.0125.i, %7
  %invariant.gep.i = getelementptr float, ptr %5, i64 %13
  br i1 %.314120.not.i, label %B52.loopexit.i, label %B142.if.lr.ph.i

B142.if.lr.ph.i:                                  ; preds = %B54.if.i
  %.200.i = sub nsw i64 %4, %13
  %.13.i118.i = tail call i64 @llvm.smin.i64(i64 %.200.i, i64 %7)
  %.364.i = getelementptr float, ptr %3, i64 %13
  %storemerge148.i.i = tail call i64 @llvm.smax.i64(i64 %.13.i118.i, i64 0)
  %.452149.not.i.i = icmp slt i64 %.13.i118.i, 1
  br label %B142.if.i

B142.if.i:                                        ; preds = %B142.if.lr.ph.i, %B669.i
  %.257.0122.i = phi i64 [ 0, %B142.if.lr.ph.i ], [ %.327.i, %B669.i ]
  %.260.0121.i = phi i64 [ %storemerge106.i, %B142.if.lr.ph.i ], [ %.323.i, %B669.i ]
  %.323.i = add nsw i64 %.260.0121.i, -1
  %.327.i = add nuw i64 %.257.0122.i, 4
  %.353.i = mul nsw i64 %.257.0122.i, %2
  %.355.i = getelementptr float, ptr %0, i64 %.353.i
  %.357.i = mul nsw i64 %.257.0122.i, %6
  %gep.i = getelementptr float, ptr %invariant.gep.i, i64 %.357.i
  %.375.i = sub nsw i64 %1, %.257.0122.i
  %.380.i = icmp eq i64 %.375.i, 1
  br i1 %.380.i, label %B282.i, label %B324.i

multiply.4.exit: ; preds = %B52.loopexit.i, %B0.endif.i
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.smin.i64(i64, i64) #2

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.smax.i64(i64, i64) #2

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite)
declare void @llvm.experimental.noalias.scope.decl(metadata) #3

attributes #0 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #1 = { nofree norecurse nosync nounwind memory(argmem: readwrite, inaccessiblemem: readwrite) }
attributes #2 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #3 = { nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite) }

!0 = !{!1}
!1 = distinct !{!1, !2, !"multiply.4: %arg.x"}
!2 = distinct !{!2, !"multiply.4"}
!3 = !{!4}
!4 = distinct !{!4, !2, !"multiply.4: %arg.weight"}
!5 = !{!6}
!6 = distinct !{!6, !2, !"multiply.4: %arg.out"}
!7 = !{!"branch_weights", i32 1, i32 99}
!8 = !{!9}
!9 = distinct !{!9, !10, !"_multiply_row.5: %arg.a"}
!10 = distinct !{!10, !"_multiply_row.5"}
!11 = !{!12}
!12 = distinct !{!12, !10, !"_multiply_row.5: %arg.weight"}
!13 = !{!14}
!14 = distinct !{!14, !10, !"_multiply_row.5: %arg.out"}
!15 = !{!9, !1}
!16 = !{!17, !12, !14, !18, !4, !6}
!17 = distinct !{!17, !10, !"_multiply_row.5: %retptr"}
!18 = distinct !{!18, !2, !"multiply.4: %retptr"}
!19 = !{!12, !4}
!20 = !{!17, !9, !14, !18, !1, !6}
!21 = !{!14, !6}
!22 = !{!17, !9, !12, !18, !1, !4}
!23 = !{!24}
!24 = distinct !{!24, !25, !"_multiply_four.27: %arg.a"}
!25 = distinct !{!25, !"_multiply_four.27"}
!26 = !{!27}
!27 = distinct !{!27, !25, !"_multiply_four.27: %arg.b"}
!28 = !{!29}
!29 = distinct !{!29, !25, !"_multiply_four.27: %arg.c"}
!30 = !{!31}
!31 = distinct !{!31, !25, !"_multiply_four.27: %arg.d"}
!32 = !{!33}
!33 = distinct !{!33, !25, !"_multiply_four.27: %arg.weight"}
!34 = !{!35}
!35 = distinct !{!35, !25, !"_multiply_four.27: %arg.out_a"}
!36 = !{!37}
!37 = distinct !{!37, !25, !"_multiply_four.27: %arg.out_b"}
!38 = !{!39}
!39 = distinct !{!39, !25, !"_multiply_four.27: %arg.out_c"}
!40 = !{!41}
!41 = distinct !{!41, !25, !"_multiply_four.27: %arg.out_d"}
!42 = !{!24, !1}
!43 = !{!44, !27, !29, !31, !33, !35, !37, !39, !41, !18, !4, !6}
!44 = distinct !{!44, !25, !"_multiply_four.27: %retptr"}
!45 = !{!27, !1}
!46 = !{!44, !24, !29, !31, !33, !35, !37, !39, !41, !18, !4, !6}
!47 = !{!29, !1}
!48 = !{!44, !24, !27, !31, !33, !35, !37, !39, !41, !18, !4, !6}
!49 = !{!31, !1}
!50 = !{!44, !24, !27, !29, !33, !35, !37, !39, !41, !18, !4, !6}
!51 = !{!33, !4}
!52 = !{!44, !24, !27, !29, !31, !35, !37, !39, !41, !18, !1, !6}
!53 = !{!35, !6}
!54 = !{!44, !24, !27, !29, !31, !33, !37, !39, !41, !18, !1, !4}
!55 = !{!37, !6}
!56 = !{!44, !24, !27, !29, !31, !33, !35, !39, !41, !18, !1, !4}
!57 = !{!39, !6}
!58 = !{!44, !24, !27, !29, !31, !33, !35, !37, !41, !18, !1, !4}
!59 = !{!41, !6}
!60 = !{!44, !24, !27, !29, !31, !33, !35, !37, !39, !18, !1, !4}
!61 = !{!"branch_weights", i32 99, i32 1}

; loop: multiply_bf16
; ModuleID = '<string>'
source_filename = "<string>"

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.fmuladd.f32(float, float, float) #0

; Function Attrs: nofree norecurse nosync nounwind memory(argmem: readwrite, inaccessiblemem: readwrite)
define void @multiply_bf16(ptr noalias readonly %0, i64 %1, i64 %2, ptr noalias readonly %3, i64 %4, ptr noalias %5, i64 %6, i64 %7) local_unnamed_addr #1 {
  tail call void @llvm.experimental.noalias.scope.decl(metadata !0)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !3)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !5)
  %.30.i = add i64 %4, -1
  %.31.i = add i64 %.30.i, %7
  %.35.i = icmp eq i64 %7, 0
  br i1 %.35.i, label %B0.endif.i, label %B0.else.i, !prof !7

B52.loopexit.i:                                   ; preds = %B669.i, %B54.if.i
  %.155.i = icmp sgt i64 %.99.0125.i, 1
  br i1 %.155.i, label %B54.if.i, label %multiply.61.exit

B282.i:                                           ; preds = %B142.if.i
  tail call void @llvm.experimental.noalias.scope.decl(metadata !8)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !11)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !13)
  br i1 %.105156.i.not.i, label %B828.else.if.i.i, label %B44.if.i.i

B44.loopexit.i.i:                                 ; preds = %B294.if.i.i, %B44.if.i.i
  %.105.i.i = icmp sgt i64 %.50.0158.i.i, 1
  br i1 %.105.i.i, label %B44.if.i.i, label %B828.else.if.i.i

B872.loopexit.i.i:                                ; preds = %B960.if.i.i, %B872.if.i.i
  %.645.i.i = icmp sgt i64 %.592.0164.i.i, 1
  br i1 %.645.i.i, label %B872.if.i.i, label %B669.i

B44.if.i.i:                                       ; preds = %B282.i, %B44.loopexit.i.i
  %.50.0158.i.i = phi i64 [ %.114.i.i, %B44.loopexit.i.i ], [ %.84.i.i, %B282.i ]
  %.47.0157.i.i = phi i64 [ %.118.i.i, %B44.loopexit.i.i ], [ 0, %B282.i ]
  %.114.i.i = add nsw i64 %.50.0158.i.i, -1
  %.118.i.i = add nuw i64 %.47.0157.i.i, 8
  %.144.i.i = getelementptr float, ptr %.355.i, i64 %.47.0157.i.i
  %.145.i.i = load float, ptr %.144.i.i, align 4, !alias.scope !15, !noalias !16
  %.148.i.i = getelementptr i8, ptr %.144.i.i, i64 4
  %.149.i.i = load float, ptr %.148.i.i, align 4, !alias.scope !15, !noalias !16
  %.152.i.i = getelementptr i8, ptr %.144.i.i, i64 8
  %.153.i.i = load float, ptr %.152.i.i, align 4, !alias.scope !15, !noalias !16
  %.156.i.i = getelementptr i8, ptr %.144.i.i, i64 12
  %.157.i.i = load float, ptr %.156.i.i, align 4, !alias.scope !15, !noalias !16
  %.160.i.i = getelementptr i8, ptr %.144.i.i, i64 16
  %.161.i.i = load float, ptr %.160.i.i, align 4, !alias.scope !15, !noalias !16
  %.164.i.i = getelementptr i8, ptr %.144.i.i, i64 20
  %.165.i.i = load float, ptr %.164.i.i, align 4, !alias.scope !15, !noalias !16
  %.168.i.i = getelementptr i8, ptr %.144.i.i, i64 24
  %.169.i.i = load float, ptr %.168.i.i, align 4, !alias.scope !15, !noalias !16
  %.172.i.i = getelementptr i8, ptr %.144.i.i, i64 28
  %.173.i.i = load float, ptr %.172.i.i, align 4, !alias.scope !15, !noalias !16
  %.247.i.i = mul nsw i64 %.47.0157.i.i, %4
  %.249.i.i = getelementptr i16, ptr %.364.i, i64 %.247.i.i
  br i1 %.452149.not.i.i, label %B44.loopexit.i.i, label %B294.if.i.i

B294.if.i.i:                                      ; preds = %B44.if.i.i, %B294.if.i.i
  %.280.0155.i.i = phi i64 [ %.342.i.i, %B294.if.i.i ], [ %storemerge148.i.i, %B44.if.i.i ]
  %.277.0154.i.i = phi i64 [ %.346.i.i, %B294.if.i.i ], [ 0, %B44.if.i.i ]
  %.342.i.i = add nsw i64 %.280.0155.i.i, -1
  %.346.i.i = add nuw nsw i64 %.277.0154.i.i, 1
  %.372.i.i = getelementptr i16, ptr %.249.i.i, i64 %.277.0154.i.i
  %.373.i.i = load i16, ptr %.372.i.i, align 2, !alias.scope !19, !noalias !20
  %.377.i.i = zext i16 %.373.i.i to i32
  %.378.i.i = shl nuw i32 %.377.i.i, 16
  %.380.i.i = bitcast i32 %.378.i.i to float
  %.384.i.i = getelementptr i16, ptr %.372.i.i, i64 %4
  %.385.i.i = load i16, ptr %.384.i.i, align 2, !alias.scope !19, !noalias !20
  %.389.i.i = zext i16 %.385.i.i to i32
  %.390.i.i = shl nuw i32 %.389.i.i, 16
  %.392.i.i = bitcast i32 %.390.i.i to float
  %.397.i.i = getelementptr i8, ptr %.372.i.i, i64 %.516.idx.i.i
  %.398.i.i = load i16, ptr %.397.i.i, align 2, !alias.scope !19, !noalias !20
  %.402.i.i = zext i16 %.398.i.i to i32
  %.403.i.i = shl nuw i32 %.402.i.i, 16
  %.405.i.i = bitcast i32 %.403.i.i to float
  %.410.i.i = getelementptr i8, ptr %.372.i.i, i64 %.529.idx.i.i
  %.411.i.i = load i16, ptr %.410.i.i, align 2, !alias.scope !19, !noalias !20
  %.415.i.i = zext i16 %.411.i.i to i32
  %.416.i.i = shl nuw i32 %.415.i.i, 16
  %.418.i.i = bitcast i32 %.416.i.i to float
  %.423.i.i = getelementptr i8, ptr %.372.i.i, i64 %.423.idx.i.i
  %.424.i.i = load i16, ptr %.423.i.i, align 2, !alias.scope !19, !noalias !20
  %.428.i.i = zext i16 %.424.i.i to i32
  %.429.i.i = shl nuw i32 %.428.i.i, 16
  %.431.i.i = bitcast i32 %.429.i.i to float
  %.436.i.i = getelementptr i8, ptr %.372.i.i, i64 %.436.idx.i.i
  %.437.i.i = load i16, ptr %.436.i.i, align 2, !alias.scope !19, !noalias !20
  %.441.i.i = zext i16 %.437.i.i to i32
  %.442.i.i = shl nuw i32 %.441.i.i, 16
  %.444.i.i = bitcast i32 %.442.i.i to float
  %.449.i.i = getelementptr i8, ptr %.372.i.i, i64 %.449.idx.i.i
  %.450.i.i = load i16, ptr %.449.i.i, align 2, !alias.scope !19, !noalias !20
  %.454.i.i = zext i16 %.450.i.i to i32
  %.455.i.i = shl nuw i32 %.454.i.i, 16
  %.457.i.i = bitcast i32 %.455.i.i to float
  %.462.i.i = getelementptr i8, ptr %.372.i.i, i64 %.462.idx.i.i
  %.463.i.i = load i16, ptr %.462.i.i, align 2, !alias.scope !19, !noalias !20
  %.467.i.i = zext i16 %.463.i.i to i32
  %.468.i.i = shl nuw i32 %.467.i.i, 16
  %.470.i.i = bitcast i32 %.468.i.i to float
  %.472.i.i = getelementptr float, ptr %gep.i, i64 %.277.0154.i.i
  %.473.i.i = load float, ptr %.472.i.i, align 4, !alias.scope !21, !noalias !22
  %.478.i.i = tail call contract float @llvm.fmuladd.f32(float %.145.i.i, float %.380.i.i, float %.473.i.i)
  %.479.i.i = tail call contract float @llvm.fmuladd.f32(float %.149.i.i, float %.392.i.i, float %.478.i.i)
  %.480.i.i = tail call contract float @llvm.fmuladd.f32(float %.153.i.i, float %.405.i.i, float %.479.i.i)
  %.481.i.i = tail call contract float @llvm.fmuladd.f32(float %.157.i.i, float %.418.i.i, float %.480.i.i)
  %.486.i.i = tail call contract float @llvm.fmuladd.f32(float %.161.i.i, float %.431.i.i, float %.481.i.i)
  %.487.i.i = tail call contract float @llvm.fmuladd.f32(float %.165.i.i, float %.444.i.i, float %.486.i.i)
  %.488.i.i = tail call contract float @llvm.fmuladd.f32(float %.169.i.i, float %.457.i.i, float %.487.i.i)
  %.489.i.i = tail call contract float @llvm.fmuladd.f32(float %.173.i.i, float %.470.i.i, float %.488.i.i)
  store float %.489.i.i, ptr %.472.i.i, align 4, !alias.scope !21, !noalias !22
  %.333.i.i = icmp sgt i64 %.280.0155.i.i, 1
  br i1 %.333.i.i, label %B294.if.i.i, label %B44.loopexit.i.i

B828.else.if.i.i:                                 ; preds = %B44.loopexit.i.i, %B282.i
  br i1 %.645162.not.i.i, label %B669.i, label %B872.if.i.i

B872.if.i.i:                                      ; preds = %B828.else.if.i.i, %B872.loopexit.i.i
  %.592.0164.i.i = phi i64 [ %.654.i.i, %B872.loopexit.i.i ], [ %.602.i.i, %B828.else.if.i.i ]
  %.589.0163.i.i = phi i64 [ %.658.i.i, %B872.loopexit.i.i ], [ %.562.i.i, %B828.else.if.i.i ]
  %.654.i.i = add nsw i64 %.592.0164.i.i, -1
  %.658.i.i = add nuw nsw i64 %.589.0163.i.i, 1
  %.684.i.i = getelementptr float, ptr %.355.i, i64 %.589.0163.i.i
  %.685.i.i = load float, ptr %.684.i.i, align 4, !alias.scope !15, !noalias !16
  %.687.i.i = mul nsw i64 %.589.0163.i.i, %4
  %.689.i.i = getelementptr i16, ptr %.364.i, i64 %.687.i.i
  br i1 %.452149.not.i.i, label %B872.loopexit.i.i, label %B960.if.i.i

B960.if.i.i:                                      ; preds = %B872.if.i.i, %B960.if.i.i
  %.723.0161.i.i = phi i64 [ %.785.i.i, %B960.if.i.i ], [ %storemerge148.i.i, %B872.if.i.i ]
  %.720.0160.i.i = phi i64 [ %.789.i.i, %B960.if.i.i ], [ 0, %B872.if.i.i ]
  %.785.i.i = add nsw i64 %.723.0161.i.i, -1
  %.789.i.i = add nuw nsw i64 %.720.0160.i.i, 1
  %.815.i.i = getelementptr float, ptr %gep.i, i64 %.720.0160.i.i
  %.816.i.i = load float, ptr %.815.i.i, align 4, !alias.scope !21, !noalias !22
  %.818.i.i = getelementptr i16, ptr %.689.i.i, i64 %.720.0160.i.i
  %.819.i.i = load i16, ptr %.818.i.i, align 2, !alias.scope !19, !noalias !20
  %.823.i.i = zext i16 %.819.i.i to i32
  %.824.i.i = shl nuw i32 %.823.i.i, 16
  %.826.i.i = bitcast i32 %.824.i.i to float
  %.828.i.i = tail call contract float @llvm.fmuladd.f32(float %.685.i.i, float %.826.i.i, float %.816.i.i)
  store float %.828.i.i, ptr %.815.i.i, align 4, !alias.scope !21, !noalias !22
  %.776.i.i = icmp sgt i64 %.723.0161.i.i, 1
  br i1 %.776.i.i, label %B960.if.i.i, label %B872.loopexit.i.i

B324.i:                                           ; preds = %B142.if.i
  %.424.i = getelementptr float, ptr %.355.i, i64 %2
  %.426.i = add nsw i64 %.375.i, -1
  %.13.i.i = tail call i64 @llvm.smin.i64(i64 %.426.i, i64 2)
  %.13.i107.i = tail call i64 @llvm.smin.i64(i64 %.426.i, i64 3)
  %.456.i = mul nsw i64 %.13.i.i, %2
  %.458.i = getelementptr float, ptr %.355.i, i64 %.456.i
  %.492.i = mul nsw i64 %.13.i107.i, %2
  %.494.i = getelementptr float, ptr %.355.i, i64 %.492.i
  %.497.i = getelementptr float, ptr %gep.i, i64 %6
  %.501.i = getelementptr i8, ptr %gep.i, i64 %.501.idx.i
  %.505.i = getelementptr i8, ptr %gep.i, i64 %.505.idx.i
  tail call void @llvm.experimental.noalias.scope.decl(metadata !23)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !26)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !28)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !30)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !32)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !34)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !36)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !38)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !40)
  br i1 %.123152.i.not.i, label %B934.else.if.i.i, label %B44.if.i113.i

B44.loopexit.i118.i:                              ; preds = %B470.if.i.i, %B44.if.i113.i
  %.123.i.i = icmp sgt i64 %.68.0154.i.i, 1
  br i1 %.123.i.i, label %B44.if.i113.i, label %B934.else.if.i.i

B978.loopexit.i.i:                                ; preds = %B1120.if.i.i, %B978.if.i.i
  %.762.i.i = icmp sgt i64 %.709.0160.i.i, 1
  br i1 %.762.i.i, label %B978.if.i.i, label %B669.i

B44.if.i113.i:                                    ; preds = %B324.i, %B44.loopexit.i118.i
  %.68.0154.i.i = phi i64 [ %.132.i.i, %B44.loopexit.i118.i ], [ %.102.i.i, %B324.i ]
  %.65.0153.i.i = phi i64 [ %.136.i.i, %B44.loopexit.i118.i ], [ 0, %B324.i ]
  %.132.i.i = add nsw i64 %.68.0154.i.i, -1
  %.136.i.i = add nuw i64 %.65.0153.i.i, 4
  %.162.i.i = getelementptr float, ptr %.355.i, i64 %.65.0153.i.i
  %.163.i.i = load float, ptr %.162.i.i, align 4, !alias.scope !42, !noalias !43
  %.164.i114.i = or disjoint i64 %.65.0153.i.i, 1
  %.166.i.i = getelementptr float, ptr %.355.i, i64 %.164.i114.i
  %.167.i.i = load float, ptr %.166.i.i, align 4, !alias.scope !42, !noalias !43
  %.168.i115.i = or disjoint i64 %.65.0153.i.i, 2
  %.170.i.i = getelementptr float, ptr %.355.i, i64 %.168.i115.i
  %.171.i.i = load float, ptr %.170.i.i, align 4, !alias.scope !42, !noalias !43
  %.172.i116.i = or disjoint i64 %.65.0153.i.i, 3
  %.174.i.i = getelementptr float, ptr %.355.i, i64 %.172.i116.i
  %.175.i.i = load float, ptr %.174.i.i, align 4, !alias.scope !42, !noalias !43
  %.213.i.i = getelementptr float, ptr %.424.i, i64 %.65.0153.i.i
  %.214.i.i = load float, ptr %.213.i.i, align 4, !alias.scope !45, !noalias !46
  %.217.i.i = getelementptr float, ptr %.424.i, i64 %.164.i114.i
  %.218.i.i = load float, ptr %.217.i.i, align 4, !alias.scope !45, !noalias !46
  %.221.i.i = getelementptr float, ptr %.424.i, i64 %.168.i115.i
  %.222.i.i = load float, ptr %.221.i.i, align 4, !alias.scope !45, !noalias !46
  %.225.i.i = getelementptr float, ptr %.424.i, i64 %.172.i116.i
  %.226.i.i = load float, ptr %.225.i.i, align 4, !alias.scope !45, !noalias !46
  %.264.i.i = getelementptr float, ptr %.458.i, i64 %.65.0153.i.i
  %.265.i.i = load float, ptr %.264.i.i, align 4, !alias.scope !47, !noalias !48
  %.268.i.i = getelementptr float, ptr %.458.i, i64 %.164.i114.i
  %.269.i.i = load float, ptr %.268.i.i, align 4, !alias.scope !47, !noalias !48
  %.272.i.i = getelementptr float, ptr %.458.i, i64 %.168.i115.i
  %.273.i.i = load float, ptr %.272.i.i, align 4, !alias.scope !47, !noalias !48
  %.276.i.i = getelementptr float, ptr %.458.i, i64 %.172.i116.i
  %.277.i.i = load float, ptr %.276.i.i, align 4, !alias.scope !47, !noalias !48
  %.315.i.i = getelementptr float, ptr %.494.i, i64 %.65.0153.i.i
  %.316.i.i = load float, ptr %.315.i.i, align 4, !alias.scope !49, !noalias !50
  %.319.i.i = getelementptr float, ptr %.494.i, i64 %.164.i114.i
  %.320.i.i = load float, ptr %.319.i.i, align 4, !alias.scope !49, !noalias !50
  %.323.i.i = getelementptr float, ptr %.494.i, i64 %.168.i115.i
  %.324.i.i = load float, ptr %.323.i.i, align 4, !alias.scope !49, !noalias !50
  %.327.i.i = getelementptr float, ptr %.494.i, i64 %.172.i116.i
  %.328.i.i = load float, ptr %.327.i.i, align 4, !alias.scope !49, !noalias !50
  %.366.i.i = mul nsw i64 %.65.0153.i.i, %4
  %.368.i.i = getelementptr i16, ptr %.364.i, i64 %.366.i.i
  br i1 %.452149.not.i.i, label %B44.loopexit.i118.i, label %B470.if.i.i

B470.if.i.i:                                      ; preds = %B44.if.i113.i, %B470.if.i.i
  %.399.0151.i.i = phi i64 [ %.461.i.i, %B470.if.i.i ], [ %storemerge148.i.i, %B44.if.i113.i ]
  %.396.0150.i.i = phi i64 [ %.465.i.i, %B470.if.i.i ], [ 0, %B44.if.i113.i ]
  %.461.i.i = add nsw i64 %.399.0151.i.i, -1
  %.465.i.i = add nuw nsw i64 %.396.0150.i.i, 1
  %.491.i.i = getelementptr i16, ptr %.368.i.i, i64 %.396.0150.i.i
  %.492.i.i = load i16, ptr %.491.i.i, align 2, !alias.scope !51, !noalias !52
  %.496.i.i = zext i16 %.492.i.i to i32
  %.497.i.i = shl nuw i32 %.496.i.i, 16
  %.499.i.i = bitcast i32 %.497.i.i to float
  %.503.i.i = getelementptr i16, ptr %.491.i.i, i64 %4
  %.504.i.i = load i16, ptr %.503.i.i, align 2, !alias.scope !51, !noalias !52
  %.508.i.i = zext i16 %.504.i.i to i32
  %.509.i.i = shl nuw i32 %.508.i.i, 16
  %.511.i.i = bitcast i32 %.509.i.i to float
  %.516.i.i = getelementptr i8, ptr %.491.i.i, i64 %.516.idx.i.i
  %.517.i.i = load i16, ptr %.516.i.i, align 2, !alias.scope !51, !noalias !52
  %.521.i.i = zext i16 %.517.i.i to i32
  %.522.i.i = shl nuw i32 %.521.i.i, 16
  %.524.i.i = bitcast i32 %.522.i.i to float
  %.529.i.i = getelementptr i8, ptr %.491.i.i, i64 %.529.idx.i.i
  %.530.i.i = load i16, ptr %.529.i.i, align 2, !alias.scope !51, !noalias !52
  %.534.i.i = zext i16 %.530.i.i to i32
  %.535.i.i = shl nuw i32 %.534.i.i, 16
  %.537.i.i = bitcast i32 %.535.i.i to float
  %.539.i.i = getelementptr float, ptr %gep.i, i64 %.396.0150.i.i
  %.540.i.i = load float, ptr %.539.i.i, align 4, !alias.scope !53, !noalias !54
  %.545.i.i = tail call contract float @llvm.fmuladd.f32(float %.163.i.i, float %.499.i.i, float %.540.i.i)
  %.546.i.i = tail call contract float @llvm.fmuladd.f32(float %.167.i.i, float %.511.i.i, float %.545.i.i)
  %.547.i.i = tail call contract float @llvm.fmuladd.f32(float %.171.i.i, float %.524.i.i, float %.546.i.i)
  %.548.i.i = tail call contract float @llvm.fmuladd.f32(float %.175.i.i, float %.537.i.i, float %.547.i.i)
  store float %.548.i.i, ptr %.539.i.i, align 4, !alias.scope !53, !noalias !54
  %.553.i.i = getelementptr float, ptr %.497.i, i64 %.396.0150.i.i
  %.554.i.i = load float, ptr %.553.i.i, align 4, !alias.scope !55, !noalias !56
  %.559.i.i = tail call contract float @llvm.fmuladd.f32(float %.214.i.i, float %.499.i.i, float %.554.i.i)
  %.560.i.i = tail call contract float @llvm.fmuladd.f32(float %.218.i.i, float %.511.i.i, float %.559.i.i)
  %.561.i.i = tail call contract float @llvm.fmuladd.f32(float %.222.i.i, float %.524.i.i, float %.560.i.i)
  %.562.i117.i = tail call contract float @llvm.fmuladd.f32(float %.226.i.i, float %.537.i.i, float %.561.i.i)
  store float %.562.i117.i, ptr %.553.i.i, align 4, !alias.scope !55, !noalias !56
  %.567.i.i = getelementptr float, ptr %.501.i, i64 %.396.0150.i.i
  %.568.i.i = load float, ptr %.567.i.i, align 4, !alias.scope !57, !noalias !58
  %.573.i.i = tail call contract float @llvm.fmuladd.f32(float %.265.i.i, float %.499.i.i, float %.568.i.i)
  %.574.i.i = tail call contract float @llvm.fmuladd.f32(float %.269.i.i, float %.511.i.i, float %.573.i.i)
  %.575.i.i = tail call contract float @llvm.fmuladd.f32(float %.273.i.i, float %.524.i.i, float %.574.i.i)
  %.576.i.i = tail call contract float @llvm.fmuladd.f32(float %.277.i.i, float %.537.i.i, float %.575.i.i)
  store float %.576.i.i, ptr %.567.i.i, align 4, !alias.scope !57, !noalias !58
  %.581.i.i = getelementptr float, ptr %.505.i, i64 %.396.0150.i.i
  %.582.i.i = load float, ptr %.581.i.i, align 4, !alias.scope !59, !noalias !60
  %.587.i.i = tail call contract float @llvm.fmuladd.f32(float %.316.i.i, float %.499.i.i, float %.582.i.i)
  %.588.i.i = tail call contract float @llvm.fmuladd.f32(float %.320.i.i, float %.511.i.i, float %.587.i.i)
  %.589.i.i = tail call contract float @llvm.fmuladd.f32(float %.324.i.i, float %.524.i.i, float %.588.i.i)
  %.590.i.i = tail call contract float @llvm.fmuladd.f32(float %.328.i.i, float %.537.i.i, float %.589.i.i)
  store float %.590.i.i, ptr %.581.i.i, align 4, !alias.scope !59, !noalias !60
  %.452.i.i = icmp sgt i64 %.399.0151.i.i, 1
  br i1 %.452.i.i, label %B470.if.i.i, label %B44.loopexit.i118.i

B934.else.if.i.i:                                 ; preds = %B44.loopexit.i118.i, %B324.i
  br i1 %.762158.not.i.i, label %B669.i, label %B978.if.i.i

B978.if.i.i:                                      ; preds = %B934.else.if.i.i, %B978.loopexit.i.i
  %.709.0160.i.i = phi i64 [ %.771.i.i, %B978.loopexit.i.i ], [ %.719.i.i, %B934.else.if.i.i ]
  %.706.0159.i.i = phi i64 [ %.775.i.i, %B978.loopexit.i.i ], [ %.679.i.i, %B934.else.if.i.i ]
  %.771.i.i = add nsw i64 %.709.0160.i.i, -1
  %.775.i.i = add nuw nsw i64 %.706.0159.i.i, 1
  %.801.i.i = getelementptr float, ptr %.355.i, i64 %.706.0159.i.i
  %.802.i.i = load float, ptr %.801.i.i, align 4, !alias.scope !42, !noalias !43
  %.804.i.i = getelementptr float, ptr %.424.i, i64 %.706.0159.i.i
  %.805.i.i = load float, ptr %.804.i.i, align 4, !alias.scope !45, !noalias !46
  %.807.i.i = getelementptr float, ptr %.458.i, i64 %.706.0159.i.i
  %.808.i.i = load float, ptr %.807.i.i, align 4, !alias.scope !47, !noalias !48
  %.810.i.i = getelementptr float, ptr %.494.i, i64 %.706.0159.i.i
  %.811.i.i = load float, ptr %.810.i.i, align 4, !alias.scope !49, !noalias !50
  %.813.i.i = mul nsw i64 %.706.0159.i.i, %4
  %.815.i111.i = getelementptr i16, ptr %.364.i, i64 %.813.i.i
  br i1 %.452149.not.i.i, label %B978.loopexit.i.i, label %B1120.if.i.i

B1120.if.i.i:                                     ; preds = %B978.if.i.i, %B1120.if.i.i
  %.868.0157.i.i = phi i64 [ %.930.i.i, %B1120.if.i.i ], [ %storemerge148.i.i, %B978.if.i.i ]
  %.865.0156.i.i = phi i64 [ %.934.i.i, %B1120.if.i.i ], [ 0, %B978.if.i.i ]
  %.930.i.i = add nsw i64 %.868.0157.i.i, -1
  %.934.i.i = add nuw nsw i64 %.865.0156.i.i, 1
  %.960.i.i = getelementptr i16, ptr %.815.i111.i, i64 %.865.0156.i.i
  %.961.i.i = load i16, ptr %.960.i.i, align 2, !alias.scope !51, !noalias !52
  %.965.i.i = zext i16 %.961.i.i to i32
  %.966.i.i = shl nuw i32 %.965.i.i, 16
  %.968.i.i = bitcast i32 %.966.i.i to float
  %.970.i.i = getelementptr float, ptr %gep.i, i64 %.865.0156.i.i
  %.971.i.i = load float, ptr %.970.i.i, align 4, !alias.scope !53, !noalias !54
  %.973.i.i = tail call contract float @llvm.fmuladd.f32(float %.802.i.i, float %.968.i.i, float %.971.i.i)
  store float %.973.i.i, ptr %.970.i.i, align 4, !alias.scope !53, !noalias !54
  %.978.i.i = getelementptr float, ptr %.497.i, i64 %.865.0156.i.i
  %.979.i.i = load float, ptr %.978.i.i, align 4, !alias.scope !55, !noalias !56
  %.981.i.i = tail call contract float @llvm.fmuladd.f32(float %.805.i.i, float %.968.i.i, float %.979.i.i)
  store float %.981.i.i, ptr %.978.i.i, align 4, !alias.scope !55, !noalias !56
  %.986.i.i = getelementptr float, ptr %.501.i, i64 %.865.0156.i.i
  %.987.i.i = load float, ptr %.986.i.i, align 4, !alias.scope !57, !noalias !58
  %.989.i.i = tail call contract float @llvm.fmuladd.f32(float %.808.i.i, float %.968.i.i, float %.987.i.i)
  store float %.989.i.i, ptr %.986.i.i, align 4, !alias.scope !57, !noalias !58
  %.994.i.i = getelementptr float, ptr %.505.i, i64 %.865.0156.i.i
  %.995.i.i = load float, ptr %.994.i.i, align 4, !alias.scope !59, !noalias !60
  %.997.i.i = tail call contract float @llvm.fmuladd.f32(float %.811.i.i, float %.968.i.i, float %.995.i.i)
  store float %.997.i.i, ptr %.994.i.i, align 4, !alias.scope !59, !noalias !60
  %.921.i.i = icmp sgt i64 %.868.0157.i.i, 1
  br i1 %.921.i.i, label %B1120.if.i.i, label %B978.loopexit.i.i

B669.i:                                           ; preds = %B978.loopexit.i.i, %B872.loopexit.i.i, %B934.else.if.i.i, %B828.else.if.i.i
  %.314.i = icmp sgt i64 %.260.0122.i, 1
  br i1 %.314.i, label %B142.if.i, label %B52.loopexit.i

B0.else.i:                                        ; preds = %8
  %.46.i = icmp ne i64 %.31.i, -9223372036854775808
  %.47.i = icmp ne i64 %7, -1
  %.48.not.i = or i1 %.47.i, %.46.i
  br i1 %.48.not.i, label %B0.else.if.i, label %B0.endif.i, !prof !61

B0.endif.i:                                       ; preds = %B0.else.if.i, %B0.else.i, %8
  %quot.0.i = phi i64 [ 0, %8 ], [ %12, %B0.else.if.i ], [ 0, %B0.else.i ]
  %.155124.not.i = icmp eq i64 %quot.0.i, 0
  br i1 %.155124.not.i, label %multiply.61.exit, label %B54.if.lr.ph.i

B54.if.lr.ph.i:                                   ; preds = %B0.endif.i
  %9 = add nuw i64 %1, 3
  %.292.i = lshr i64 %9, 2
  %.271.inv.i = icmp sgt i64 %1, 0
  %storemerge106.i = select i1 %.271.inv.i, i64 %.292.i, i64 0
  %.314121.not.i = icmp eq i64 %storemerge106.i, 0
  %.501.idx.i = shl i64 %6, 3
  %.505.idx.i = mul i64 %6, 12
  %.79.i.i = icmp slt i64 %2, 4
  %.41.i.i = add nsw i64 %2, -3
  %10 = and i64 %.41.i.i, -9223372036854775805
  %.99.i.i = icmp sgt i64 %10, 0
  %.100161.i.i = lshr i64 %.41.i.i, 2
  %.101.i.i = zext i1 %.99.i.i to i64
  %.102.i.i = add nuw nsw i64 %.100161.i.i, %.101.i.i
  %.516.idx.i.i = shl i64 %4, 2
  %.529.idx.i.i = mul i64 %4, 6
  %.719.i.i = and i64 %2, 3
  %.762158.not.i.i = icmp eq i64 %.719.i.i, 0
  %.679.i.i = and i64 %2, -4
  %.61.i.i = icmp slt i64 %2, 8
  %.23.i.i = add nsw i64 %2, -7
  %11 = and i64 %.23.i.i, -9223372036854775801
  %.81.i.i = icmp sgt i64 %11, 0
  %.82165.i.i = lshr i64 %.23.i.i, 3
  %.83.i.i = zext i1 %.81.i.i to i64
  %.84.i.i = add nuw nsw i64 %.82165.i.i, %.83.i.i
  %.423.idx.i.i = shl i64 %4, 3
  %.436.idx.i.i = mul i64 %4, 10
  %.449.idx.i.i = mul i64 %4, 12
  %.462.idx.i.i = mul i64 %4, 14
  %.602.i.i = and i64 %2, 7
  %.645162.not.i.i = icmp eq i64 %.602.i.i, 0
  %.562.i.i = and i64 %2, -8
  %.123152.i.not130.i = icmp eq i64 %.102.i.i, 0
  %.123152.i.not.i = select i1 %.79.i.i, i1 true, i1 %.123152.i.not130.i
  %.105156.i.not131.i = icmp eq i64 %.84.i.i, 0
  %.105156.i.not.i = select i1 %.61.i.i, i1 true, i1 %.105156.i.not131.i
  br label %B54.if.i

B0.else.if.i:                                     ; preds = %B0.else.i
  %.51.i = sdiv i64 %.31.i, %7
  %.52.i = srem i64 %.31.i, %7
  %.53.i = xor i64 %.52.i, %7
  %.54.i = icmp slt i64 %.53.i, 0
  %.55.i = icmp ne i64 %.52.i, 0
  %.56.i = and i1 %.55.i, %.54.i
  %.61.i = sext i1 %.56.i to i64
  %spec.select.i = add i64 %.51.i, %.61.i
  %12 = tail call i64 @llvm.smax.i64(i64 %spec.select.i, i64 0)
  br label %B0.endif.i

B54.if.i:                                         ; preds = %B54.if.lr.ph.i, %B52.loopexit.i
  %.96.0126.i = phi i64 [ 0, %B54.if.lr.ph.i ], [ %.168.i, %B52.loopexit.i ]
  %.99.0125.i = phi i64 [ %quot.0.i, %B54.if.lr.ph.i ], [ %.164.i, %B52.loopexit.i ]
  %.164.i = add nsw i64 %.99.0125.i, -1
  %.168.i = add nuw nsw i64 %.96.0126.i, 1
  %13 = mul nsw i64 %.96.0126.i, %7
  %invariant.gep.i = getelementptr float, ptr %5, i64 %13
  br i1 %.314121.not.i, label %B52.loopexit.i, label %B142.if.lr.ph.i

B142.if.lr.ph.i:                                  ; preds = %B54.if.i
  %.200.i = sub nsw i64 %4, %13
  %.13.i119.i = tail call i64 @llvm.smin.i64(i64 %.200.i, i64 %7)
  %.364.i = getelementptr i16, ptr %3, i64 %13
  %storemerge148.i.i = tail call i64 @llvm.smax.i64(i64 %.13.i119.i, i64 0)
  %.452149.not.i.i = icmp slt i64 %.13.i119.i, 1
  br label %B142.if.i

B142.if.i:                                        ; preds = %B142.if.lr.ph.i, %B669.i
  %.257.0123.i = phi i64 [ 0, %B142.if.lr.ph.i ], [ %.327.i, %B669.i ]
  %.260.0122.i = phi i64 [ %storemerge106.i, %B142.if.lr.ph.i ], [ %.323.i, %B669.i ]
  %.323.i = add nsw i64 %.260.0122.i, -1
  %.327.i = add nuw i64 %.257.0123.i, 4
  %.353.i = mul nsw i64 %.257.0123.i, %2
  %.355.i = getelementptr float, ptr %0, i64 %.353.i
  %.357.i = mul nsw i64 %.257.0123.i, %6
  %gep.i = getelementptr float, ptr %invariant.gep.i, i64 %.357.i
  %.375.i = sub nsw i64 %1, %.257.0123.i
  %.380.i = icmp eq i64 %.375.i, 1
  br i1 %.380.i, label %B282.i, label %B324.i

multiply.61.exit: ; preds = %B52.loopexit.i, %B0.endif.i
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.smin.i64(i64, i64) #2

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.smax.i64(i64, i64) #2

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite)
declare void @llvm.experimental.noalias.scope.decl(metadata) #3

attributes #0 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #1 = { nofree norecurse nosync nounwind memory(argmem: readwrite, inaccessiblemem: readwrite) }
attributes #2 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #3 = { nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite) }

!0 = !{!1}
!1 = distinct !{!1, !2, !"multiply.61: %arg.x"}
!2 = distinct !{!2, !"multiply.61"}
!3 = !{!4}
!4 = distinct !{!4, !2, !"multiply.61: %arg.weight"}
!5 = !{!6}
!6 = distinct !{!6, !2, !"multiply.61: %arg.out"}
!7 = !{!"branch_weights", i32 1, i32 99}
!8 = !{!9}
!9 = distinct !{!9, !10, !"_multiply_row.62: %arg.a"}
!10 = distinct !{!10, !"_multiply_row.62"}
!11 = !{!12}
!12 = distinct !{!12, !10, !"_multiply_row.62: %arg.weight"}
!13 = !{!14}
!14 = distinct !{!14, !10, !"_multiply_row.62: %arg.out"}
!15 = !{!9, !1}
!16 = !{!17, !12, !14, !18, !4, !6}
!17 = distinct !{!17, !10, !"_multiply_row.62: %retptr"}
!18 = distinct !{!18, !2, !"multiply.61: %retptr"}
!19 = !{!12, !4}
!20 = !{!17, !9, !14, !18, !1, !6}
!21 = !{!14, !6}
!22 = !{!17, !9, !12, !18, !1, !4}
!23 = !{!24}
!24 = distinct !{!24, !25, !"_multiply_four.84: %arg.a"}
!25 = distinct !{!25, !"_multiply_four.84"}
!26 = !{!27}
!27 = distinct !{!27, !25, !"_multiply_four.84: %arg.b"}
!28 = !{!29}
!29 = distinct !{!29, !25, !"_multiply_four.84: %arg.c"}
!30 = !{!31}
!31 = distinct !{!31, !25, !"_multiply_four.84: %arg.d"}
!32 = !{!33}
!33 = distinct !{!33, !25, !"_multiply_four.84: %arg.weight"}
!34 = !{!35}
!35 = distinct !{!35, !25, !"_multiply_four.84: %arg.out_a"}
!36 = !{!37}
!37 = distinct !{!37, !25, !"_multiply_four.84: %arg.out_b"}
!38 = !{!39}
!39 = distinct !{!39, !25, !"_multiply_four.84: %arg.out_c"}
!40 = !{!41}
!41 = distinct !{!41, !25, !"_multiply_four.84: %arg.out_d"}
!42 = !{!24, !1}
!43 = !{!44, !27, !29, !31, !33, !35, !37, !39, !41, !18, !4, !6}
!44 = distinct !{!44, !25, !"_multiply_four.84: %retptr"}
!45 = !{!27, !1}
!46 = !{!44, !24, !29, !31, !33, !35, !37, !39, !41, !18, !4, !6}
!47 = !{!29, !1}
!48 = !{!44, !24, !27, !31, !33, !35, !37, !39, !41, !18, !4, !6}
!49 = !{!31, !1}
!50 = !{!44, !24, !27, !29, !33, !35, !37, !39, !41, !18, !4, !6}
!51 = !{!33, !4}
!52 = !{!44, !24, !27, !29, !31, !35, !37, !39, !41, !18, !1, !6}
!53 = !{!35, !6}
!54 = !{!44, !24, !27, !29, !31, !33, !37, !39, !41, !18, !1, !4}
!55 = !{!37, !6}
!56 = !{!44, !24, !27, !29, !31, !33, !35, !39, !41, !18, !1, !4}
!57 = !{!39, !6}
!58 = !{!44, !24, !27, !29, !31, !33, !35, !37, !41, !18, !1, !4}
!59 = !{!41, !6}
!60 = !{!44, !24, !27, !29, !31, !33, !35, !37, !39, !18, !1, !4}
!61 = !{!"branch_weights", i32 99, i32 1}

; loop: multiply_int8
; ModuleID = '<string>'
source_filename = "<string>"

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.fmuladd.f32(float, float, float) #0

; Function Attrs: nofree norecurse nosync nounwind memory(argmem: readwrite, inaccessiblemem: readwrite)
define void @multiply_int8(ptr noalias readonly %0, i64 %1, i64 %2, ptr noalias readonly %3, i64 %4, ptr noalias %5, i64 %6, i64 %7) local_unnamed_addr #1 {
  tail call void @llvm.experimental.noalias.scope.decl(metadata !0)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !3)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !5)
  %.30.i = add i64 %4, -1
  %.31.i = add i64 %.30.i, %7
  %.35.i = icmp eq i64 %7, 0
  br i1 %.35.i, label %B0.endif.i, label %B0.else.i, !prof !7

B52.loopexit.i:                                   ; preds = %B669.i, %B54.if.i
  %.155.i = icmp sgt i64 %.99.0123.i, 1
  br i1 %.155.i, label %B54.if.i, label %multiply.102.exit

B282.i:                                           ; preds = %B142.if.i
  tail call void @llvm.experimental.noalias.scope.decl(metadata !8)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !11)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !13)
  br i1 %.105156.i.not.i, label %B828.else.if.i.i, label %B44.if.i.i

B44.loopexit.i.i:                                 ; preds = %B294.if.i.i, %B44.if.i.i
  %.105.i.i = icmp sgt i64 %.50.0158.i.i, 1
  br i1 %.105.i.i, label %B44.if.i.i, label %B828.else.if.i.i

B872.loopexit.i.i:                                ; preds = %B960.if.i.i, %B872.if.i.i
  %.597.i.i = icmp sgt i64 %.544.0164.i.i, 1
  br i1 %.597.i.i, label %B872.if.i.i, label %B669.i

B44.if.i.i:                                       ; preds = %B282.i, %B44.loopexit.i.i
  %.50.0158.i.i = phi i64 [ %.114.i.i, %B44.loopexit.i.i ], [ %.84.i.i, %B282.i ]
  %.47.0157.i.i = phi i64 [ %.118.i.i, %B44.loopexit.i.i ], [ 0, %B282.i ]
  %.114.i.i = add nsw i64 %.50.0158.i.i, -1
  %.118.i.i = add nuw i64 %.47.0157.i.i, 8
  %.144.i.i = getelementptr float, ptr %.355.i, i64 %.47.0157.i.i
  %.145.i.i = load float, ptr %.144.i.i, align 4, !alias.scope !15, !noalias !16
  %.148.i.i = getelementptr i8, ptr %.144.i.i, i64 4
  %.149.i.i = load float, ptr %.148.i.i, align 4, !alias.scope !15, !noalias !16
  %.152.i.i = getelementptr i8, ptr %.144.i.i, i64 8
  %.153.i.i = load float, ptr %.152.i.i, align 4, !alias.scope !15, !noalias !16
  %.156.i.i = getelementptr i8, ptr %.144.i.i, i64 12
  %.157.i.i = load float, ptr %.156.i.i, align 4, !alias.scope !15, !noalias !16
  %.160.i.i = getelementptr i8, ptr %.144.i.i, i64 16
  %.161.i.i = load float, ptr %.160.i.i, align 4, !alias.scope !15, !noalias !16
  %.164.i.i = getelementptr i8, ptr %.144.i.i, i64 20
  %.165.i.i = load float, ptr %.164.i.i, align 4, !alias.scope !15, !noalias !16
  %.168.i.i = getelementptr i8, ptr %.144.i.i, i64 24
  %.169.i.i = load float, ptr %.168.i.i, align 4, !alias.scope !15, !noalias !16
  %.172.i.i = getelementptr i8, ptr %.144.i.i, i64 28
  %.173.i.i = load float, ptr %.172.i.i, align 4, !alias.scope !15, !noalias !16
  %.247.i.i = mul nsw i64 %.47.0157.i.i, %4
  %.249.i.i = getelementptr i8, ptr %.364.i, i64 %.247.i.i
  br i1 %.452149.not.i.i, label %B44.loopexit.i.i, label %B294.if.i.i

B294.if.i.i:                                      ; preds = %B44.if.i.i, %B294.if.i.i
  %.280.0155.i.i = phi i64 [ %.342.i.i, %B294.if.i.i ], [ %storemerge148.i.i, %B44.if.i.i ]
  %.277.0154.i.i = phi i64 [ %.346.i.i, %B294.if.i.i ], [ 0, %B44.if.i.i ]
  %.342.i.i = add nsw i64 %.280.0155.i.i, -1
  %.346.i.i = add nuw nsw i64 %.277.0154.i.i, 1
  %.372.i.i = getelementptr i8, ptr %.249.i.i, i64 %.277.0154.i.i
  %.373.i.i = load i8, ptr %.372.i.i, align 1, !alias.scope !19, !noalias !20
  %.374.i.i = sitofp i8 %.373.i.i to float
  %.378.i.i = getelementptr i8, ptr %.372.i.i, i64 %4
  %.379.i.i = load i8, ptr %.378.i.i, align 1, !alias.scope !19, !noalias !20
  %.380.i.i = sitofp i8 %.379.i.i to float
  %.385.i.i = getelementptr i8, ptr %.372.i.i, i64 %.501.i.i
  %.386.i.i = load i8, ptr %.385.i.i, align 1, !alias.scope !19, !noalias !20
  %.387.i.i = sitofp i8 %.386.i.i to float
  %.392.i.i = getelementptr i8, ptr %.372.i.i, i64 %.508.i.i
  %.393.i.i = load i8, ptr %.392.i.i, align 1, !alias.scope !19, !noalias !20
  %.394.i.i = sitofp i8 %.393.i.i to float
  %.399.i.i = getelementptr i8, ptr %.372.i.i, i64 %.396.i.i
  %.400.i.i = load i8, ptr %.399.i.i, align 1, !alias.scope !19, !noalias !20
  %.401.i.i = sitofp i8 %.400.i.i to float
  %.406.i.i = getelementptr i8, ptr %.372.i.i, i64 %.403.i.i
  %.407.i.i = load i8, ptr %.406.i.i, align 1, !alias.scope !19, !noalias !20
  %.408.i.i = sitofp i8 %.407.i.i to float
  %.413.i.i = getelementptr i8, ptr %.372.i.i, i64 %.410.i.i
  %.414.i.i = load i8, ptr %.413.i.i, align 1, !alias.scope !19, !noalias !20
  %.415.i.i = sitofp i8 %.414.i.i to float
  %.420.i.i = getelementptr i8, ptr %.372.i.i, i64 %.417.i.i
  %.421.i.i = load i8, ptr %.420.i.i, align 1, !alias.scope !19, !noalias !20
  %.422.i.i = sitofp i8 %.421.i.i to float
  %.424.i.i = getelementptr float, ptr %gep.i, i64 %.277.0154.i.i
  %.425.i.i = load float, ptr %.424.i.i, align 4, !alias.scope !21, !noalias !22
  %.430.i.i = tail call contract float @llvm.fmuladd.f32(float %.145.i.i, float %.374.i.i, float %.425.i.i)
  %.431.i.i = tail call contract float @llvm.fmuladd.f32(float %.149.i.i, float %.380.i.i, float %.430.i.i)
  %.432.i.i = tail call contract float @llvm.fmuladd.f32(float %.153.i.i, float %.387.i.i, float %.431.i.i)
  %.433.i.i = tail call contract float @llvm.fmuladd.f32(float %.157.i.i, float %.394.i.i, float %.432.i.i)
  %.438.i.i = tail call contract float @llvm.fmuladd.f32(float %.161.i.i, float %.401.i.i, float %.433.i.i)
  %.439.i.i = tail call contract float @llvm.fmuladd.f32(float %.165.i.i, float %.408.i.i, float %.438.i.i)
  %.440.i.i = tail call contract float @llvm.fmuladd.f32(float %.169.i.i, float %.415.i.i, float %.439.i.i)
  %.441.i.i = tail call contract float @llvm.fmuladd.f32(float %.173.i.i, float %.422.i.i, float %.440.i.i)
  store float %.441.i.i, ptr %.424.i.i, align 4, !alias.scope !21, !noalias !22
  %.333.i.i = icmp sgt i64 %.280.0155.i.i, 1
  br i1 %.333.i.i, label %B294.if.i.i, label %B44.loopexit.i.i

B828.else.if.i.i:                                 ; preds = %B44.loopexit.i.i, %B282.i
  br i1 %.597162.not.i.i, label %B669.i, label %B872.if.i.i

B872.if.i.i:                                      ; preds = %B828.else.if.i.i, %B872.loopexit.i.i
  %.544.0164.i.i = phi i64 [ %.606.i.i, %B872.loopexit.i.i ], [ %.554.i.i, %B828.else.if.i.i ]
  %.541.0163.i.i = phi i64 [ %.610.i.i, %B872.loopexit.i.i ], [ %.514.i.i, %B828.else.if.i.i ]
  %.606.i.i = add nsw i64 %.544.0164.i.i, -1
  %.610.i.i = add nuw nsw i64 %.541.0163.i.i, 1
  %.636.i.i = getelementptr float, ptr %.355.i, i64 %.541.0163.i.i
  %.637.i.i = load float, ptr %.636.i.i, align 4, !alias.scope !15, !noalias !16
  %.639.i.i = mul nsw i64 %.541.0163.i.i, %4
  %.641.i.i = getelementptr i8, ptr %.364.i, i64 %.639.i.i
  br i1 %.452149.not.i.i, label %B872.loopexit.i.i, label %B960.if.i.i

B960.if.i.i:                                      ; preds = %B872.if.i.i, %B960.if.i.i
  %.675.0161.i.i = phi i64 [ %.737.i.i, %B960.if.i.i ], [ %storemerge148.i.i, %B872.if.i.i ]
  %.672.0160.i.i = phi i64 [ %.741.i.i, %B960.if.i.i ], [ 0, %B872.if.i.i ]
  %.737.i.i = add nsw i64 %.675.0161.i.i, -1
  %.741.i.i = add nuw nsw i64 %.672.0160.i.i, 1
  %.767.i.i = getelementptr float, ptr %gep.i, i64 %.672.0160.i.i
  %.768.i.i = load float, ptr %.767.i.i, align 4, !alias.scope !21, !noalias !22
  %.770.i.i = getelementptr i8, ptr %.641.i.i, i64 %.672.0160.i.i
  %.771.i.i = load i8, ptr %.770.i.i, align 1, !alias.scope !19, !noalias !20
  %.772.i.i = sitofp i8 %.771.i.i to float
  %.774.i.i = tail call contract float @llvm.fmuladd.f32(float %.637.i.i, float %.772.i.i, float %.768.i.i)
  store float %.774.i.i, ptr %.767.i.i, align 4, !alias.scope !21, !noalias !22
  %.728.i.i = icmp sgt i64 %.675.0161.i.i, 1
  br i1 %.728.i.i, label %B960.if.i.i, label %B872.loopexit.i.i

B324.i:                                           ; preds = %B142.if.i
  %.424.i = getelementptr float, ptr %.355.i, i64 %2
  %.426.i = add nsw i64 %.375.i, -1
  %.13.i.i = tail call i64 @llvm.smin.i64(i64 %.426.i, i64 2)
  %.13.i107.i = tail call i64 @llvm.smin.i64(i64 %.426.i, i64 3)
  %.456.i = mul nsw i64 %.13.i.i, %2
  %.458.i = getelementptr float, ptr %.355.i, i64 %.456.i
  %.492.i = mul nsw i64 %.13.i107.i, %2
  %.494.i = getelementptr float, ptr %.355.i, i64 %.492.i
  %.497.i = getelementptr float, ptr %gep.i, i64 %6
  %.501.i = getelementptr i8, ptr %gep.i, i64 %.501.idx.i
  %.505.i = getelementptr i8, ptr %gep.i, i64 %.505.idx.i
  tail call void @llvm.experimental.noalias.scope.decl(metadata !23)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !26)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !28)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !30)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !32)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !34)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !36)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !38)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !40)
  br i1 %.123152.i.not.i, label %B934.else.if.i.i, label %B44.if.i112.i

B44.loopexit.i116.i:                              ; preds = %B470.if.i.i, %B44.if.i112.i
  %.123.i.i = icmp sgt i64 %.68.0154.i.i, 1
  br i1 %.123.i.i, label %B44.if.i112.i, label %B934.else.if.i.i

B978.loopexit.i.i:                                ; preds = %B1120.if.i.i, %B978.if.i.i
  %.738.i.i = icmp sgt i64 %.685.0160.i.i, 1
  br i1 %.738.i.i, label %B978.if.i.i, label %B669.i

B44.if.i112.i:                                    ; preds = %B324.i, %B44.loopexit.i116.i
  %.68.0154.i.i = phi i64 [ %.132.i.i, %B44.loopexit.i116.i ], [ %.102.i.i, %B324.i ]
  %.65.0153.i.i = phi i64 [ %.136.i.i, %B44.loopexit.i116.i ], [ 0, %B324.i ]
  %.132.i.i = add nsw i64 %.68.0154.i.i, -1
  %.136.i.i = add nuw i64 %.65.0153.i.i, 4
  %.162.i.i = getelementptr float, ptr %.355.i, i64 %.65.0153.i.i
  %.163.i.i = load float, ptr %.162.i.i, align 4, !alias.scope !42, !noalias !43
  %.164.i113.i = or disjoint i64 %.65.0153.i.i, 1
  %.166.i.i = getelementptr float, ptr %.355.i, i64 %.164.i113.i
  %.167.i.i = load float, ptr %.166.i.i, align 4, !alias.scope !42, !noalias !43
  %.168.i114.i = or disjoint i64 %.65.0153.i.i, 2
  %.170.i.i = getelementptr float, ptr %.355.i, i64 %.168.i114.i
  %.171.i.i = load float, ptr %.170.i.i, align 4, !alias.scope !42, !noalias !43
  %.172.i115.i = or disjoint i64 %.65.0153.i.i, 3
  %.174.i.i = getelementptr float, ptr %.355.i, i64 %.172.i115.i
  %.175.i.i = load float, ptr %.174.i.i, align 4, !alias.scope !42, !noalias !43
  %.213.i.i = getelementptr float, ptr %.424.i, i64 %.65.0153.i.i
  %.214.i.i = load float, ptr %.213.i.i, align 4, !alias.scope !45, !noalias !46
  %.217.i.i = getelementptr float, ptr %.424.i, i64 %.164.i113.i
  %.218.i.i = load float, ptr %.217.i.i, align 4, !alias.scope !45, !noalias !46
  %.221.i.i = getelementptr float, ptr %.424.i, i64 %.168.i114.i
  %.222.i.i = load float, ptr %.221.i.i, align 4, !alias.scope !45, !noalias !46
  %.225.i.i = getelementptr float, ptr %.424.i, i64 %.172.i115.i
  %.226.i.i = load float, ptr %.225.i.i, align 4, !alias.scope !45, !noalias !46
  %.264.i.i = getelementptr float, ptr %.458.i, i64 %.65.0153.i.i
  %.265.i.i = load float, ptr %.264.i.i, align 4, !alias.scope !47, !noalias !48
  %.268.i.i = getelementptr float, ptr %.458.i, i64 %.164.i113.i
  %.269.i.i = load float, ptr %.268.i.i, align 4, !alias.scope !47, !noalias !48
  %.272.i.i = getelementptr float, ptr %.458.i, i64 %.168.i114.i
  %.273.i.i = load float, ptr %.272.i.i, align 4, !alias.scope !47, !noalias !48
  %.276.i.i = getelementptr float, ptr %.458.i, i64 %.172.i115.i
  %.277.i.i = load float, ptr %.276.i.i, align 4, !alias.scope !47, !noalias !48
  %.315.i.i = getelementptr float, ptr %.494.i, i64 %.65.0153.i.i
  %.316.i.i = load float, ptr %.315.i.i, align 4, !alias.scope !49, !noalias !50
  %.319.i.i = getelementptr float, ptr %.494.i, i64 %.164.i113.i
  %.320.i.i = load float, ptr %.319.i.i, align 4, !alias.scope !49, !noalias !50
  %.323.i.i = getelementptr float, ptr %.494.i, i64 %.168.i114.i
  %.324.i.i = load float, ptr %.323.i.i, align 4, !alias.scope !49, !noalias !50
  %.327.i.i = getelementptr float, ptr %.494.i, i64 %.172.i115.i
  %.328.i.i = load float, ptr %.327.i.i, align 4, !alias.scope !49, !noalias !50
  %.366.i.i = mul nsw i64 %.65.0153.i.i, %4
  %.368.i.i = getelementptr i8, ptr %.364.i, i64 %.366.i.i
  br i1 %.452149.not.i.i, label %B44.loopexit.i116.i, label %B470.if.i.i

B470.if.i.i:                                      ; preds = %B44.if.i112.i, %B470.if.i.i
  %.399.0151.i.i = phi i64 [ %.461.i.i, %B470.if.i.i ], [ %storemerge148.i.i, %B44.if.i112.i ]
  %.396.0150.i.i = phi i64 [ %.465.i.i, %B470.if.i.i ], [ 0, %B44.if.i112.i ]
  %.461.i.i = add nsw i64 %.399.0151.i.i, -1
  %.465.i.i = add nuw nsw i64 %.396.0150.i.i, 1
  %.491.i.i = getelementptr i8, ptr %.368.i.i, i64 %.396.0150.i.i
  %.492.i.i = load i8, ptr %.491.i.i, align 1, !alias.scope !51, !noalias !52
  %.493.i.i = sitofp i8 %.492.i.i to float
  %.497.i.i = getelementptr i8, ptr %.491.i.i, i64 %4
  %.498.i.i = load i8, ptr %.497.i.i, align 1, !alias.scope !51, !noalias !52
  %.499.i.i = sitofp i8 %.498.i.i to float
  %.504.i.i = getelementptr i8, ptr %.491.i.i, i64 %.501.i.i
  %.505.i.i = load i8, ptr %.504.i.i, align 1, !alias.scope !51, !noalias !52
  %.506.i.i = sitofp i8 %.505.i.i to float
  %.511.i.i = getelementptr i8, ptr %.491.i.i, i64 %.508.i.i
  %.512.i.i = load i8, ptr %.511.i.i, align 1, !alias.scope !51, !noalias !52
  %.513.i.i = sitofp i8 %.512.i.i to float
  %.515.i.i = getelementptr float, ptr %gep.i, i64 %.396.0150.i.i
  %.516.i.i = load float, ptr %.515.i.i, align 4, !alias.scope !53, !noalias !54
  %.521.i.i = tail call contract float @llvm.fmuladd.f32(float %.163.i.i, float %.493.i.i, float %.516.i.i)
  %.522.i.i = tail call contract float @llvm.fmuladd.f32(float %.167.i.i, float %.499.i.i, float %.521.i.i)
  %.523.i.i = tail call contract float @llvm.fmuladd.f32(float %.171.i.i, float %.506.i.i, float %.522.i.i)
  %.524.i.i = tail call contract float @llvm.fmuladd.f32(float %.175.i.i, float %.513.i.i, float %.523.i.i)
  store float %.524.i.i, ptr %.515.i.i, align 4, !alias.scope !53, !noalias !54
  %.529.i.i = getelementptr float, ptr %.497.i, i64 %.396.0150.i.i
  %.530.i.i = load float, ptr %.529.i.i, align 4, !alias.scope !55, !noalias !56
  %.535.i.i = tail call contract float @llvm.fmuladd.f32(float %.214.i.i, float %.493.i.i, float %.530.i.i)
  %.536.i.i = tail call contract float @llvm.fmuladd.f32(float %.218.i.i, float %.499.i.i, float %.535.i.i)
  %.537.i.i = tail call contract float @llvm.fmuladd.f32(float %.222.i.i, float %.506.i.i, float %.536.i.i)
  %.538.i.i = tail call contract float @llvm.fmuladd.f32(float %.226.i.i, float %.513.i.i, float %.537.i.i)
  store float %.538.i.i, ptr %.529.i.i, align 4, !alias.scope !55, !noalias !56
  %.543.i.i = getelementptr float, ptr %.501.i, i64 %.396.0150.i.i
  %.544.i.i = load float, ptr %.543.i.i, align 4, !alias.scope !57, !noalias !58
  %.549.i.i = tail call contract float @llvm.fmuladd.f32(float %.265.i.i, float %.493.i.i, float %.544.i.i)
  %.550.i.i = tail call contract float @llvm.fmuladd.f32(float %.269.i.i, float %.499.i.i, float %.549.i.i)
  %.551.i.i = tail call contract float @llvm.fmuladd.f32(float %.273.i.i, float %.506.i.i, float %.550.i.i)
  %.552.i.i = tail call contract float @llvm.fmuladd.f32(float %.277.i.i, float %.513.i.i, float %.551.i.i)
  store float %.552.i.i, ptr %.543.i.i, align 4, !alias.scope !57, !noalias !58
  %.557.i.i = getelementptr float, ptr %.505.i, i64 %.396.0150.i.i
  %.558.i.i = load float, ptr %.557.i.i, align 4, !alias.scope !59, !noalias !60
  %.563.i.i = tail call contract float @llvm.fmuladd.f32(float %.316.i.i, float %.493.i.i, float %.558.i.i)
  %.564.i.i = tail call contract float @llvm.fmuladd.f32(float %.320.i.i, float %.499.i.i, float %.563.i.i)
  %.565.i.i = tail call contract float @llvm.fmuladd.f32(float %.324.i.i, float %.506.i.i, float %.564.i.i)
  %.566.i.i = tail call contract float @llvm.fmuladd.f32(float %.328.i.i, float %.513.i.i, float %.565.i.i)
  store float %.566.i.i, ptr %.557.i.i, align 4, !alias.scope !59, !noalias !60
  %.452.i.i = icmp sgt i64 %.399.0151.i.i, 1
  br i1 %.452.i.i, label %B470.if.i.i, label %B44.loopexit.i116.i

B934.else.if.i.i:                                 ; preds = %B44.loopexit.i116.i, %B324.i
  br i1 %.738158.not.i.i, label %B669.i, label %B978.if.i.i

B978.if.i.i:                                      ; preds = %B934.else.if.i.i, %B978.loopexit.i.i
  %.685.0160.i.i = phi i64 [ %.747.i.i, %B978.loopexit.i.i ], [ %.695.i.i, %B934.else.if.i.i ]
  %.682.0159.i.i = phi i64 [ %.751.i.i, %B978.loopexit.i.i ], [ %.655.i.i, %B934.else.if.i.i ]
  %.747.i.i = add nsw i64 %.685.0160.i.i, -1
  %.751.i.i = add nuw nsw i64 %.682.0159.i.i, 1
  %.777.i.i = getelementptr float, ptr %.355.i, i64 %.682.0159.i.i
  %.778.i.i = load float, ptr %.777.i.i, align 4, !alias.scope !42, !noalias !43
  %.780.i.i = getelementptr float, ptr %.424.i, i64 %.682.0159.i.i
  %.781.i.i = load float, ptr %.780.i.i, align 4, !alias.scope !45, !noalias !46
  %.783.i.i = getelementptr float, ptr %.458.i, i64 %.682.0159.i.i
  %.784.i.i = load float, ptr %.783.i.i, align 4, !alias.scope !47, !noalias !48
  %.786.i.i = getelementptr float, ptr %.494.i, i64 %.682.0159.i.i
  %.787.i.i = load float, ptr %.786.i.i, align 4, !alias.scope !49, !noalias !50
  %.789.i.i = mul nsw i64 %.682.0159.i.i, %4
  %.791.i.i = getelementptr i8, ptr %.364.i, i64 %.789.i.i
  br i1 %.452149.not.i.i, label %B978.loopexit.i.i, label %B1120.if.i.i

B1120.if.i.i:                                     ; preds = %B978.if.i.i, %B1120.if.i.i
  %.844.0157.i.i = phi i64 [ %.906.i.i, %B1120.if.i.i ], [ %storemerge148.i.i, %B978.if.i.i ]
  %.841.0156.i.i = phi i64 [ %.910.i.i, %B1120.if.i.i ], [ 0, %B978.if.i.i ]
  %.906.i.i = add nsw i64 %.844.0157.i.i, -1
  %.910.i.i = add nuw nsw i64 %.841.0156.i.i, 1
  %.936.i.i = getelementptr i8, ptr %.791.i.i, i64 %.841.0156.i.i
  %.937.i.i = load i8, ptr %.936.i.i, align 1, !alias.scope !51, !noalias !52
  %.938.i.i = sitofp i8 %.937.i.i to float
  %.940.i.i = getelementptr float, ptr %gep.i, i64 %.841.0156.i.i
  %.941.i.i = load float, ptr %.940.i.i, align 4, !alias.scope !53, !noalias !54
  %.943.i.i = tail call contract float @llvm.fmuladd.f32(float %.778.i.i, float %.938.i.i, float %.941.i.i)
  store float %.943.i.i, ptr %.940.i.i, align 4, !alias.scope !53, !noalias !54
  %.948.i.i = getelementptr float, ptr %.497.i, i64 %.841.0156.i.i
  %.949.i.i = load float, ptr %.948.i.i, align 4, !alias.scope !55, !noalias !56
  %.951.i.i = tail call contract float @llvm.fmuladd.f32(float %.781.i.i, float %.938.i.i, float %.949.i.i)
  store float %.951.i.i, ptr %.948.i.i, align 4, !alias.scope !55, !noalias !56
  %.956.i.i = getelementptr float, ptr %.501.i, i64 %.841.0156.i.i
  %.957.i.i = load float, ptr %.956.i.i, align 4, !alias.scope !57, !noalias !58
  %.959.i.i = tail call contract float @llvm.fmuladd.f32(float %.784.i.i, float %.938.i.i, float %.957.i.i)
  store float %.959.i.i, ptr %.956.i.i, align 4, !alias.scope !57, !noalias !58
  %.964.i.i = getelementptr float, ptr %.505.i, i64 %.841.0156.i.i
  %.965.i.i = load float, ptr %.964.i.i, align 4, !alias.scope !59, !noalias !60
  %.967.i.i = tail call contract float @llvm.fmuladd.f32(float %.787.i.i, float %.938.i.i, float %.965.i.i)
  store float %.967.i.i, ptr %.964.i.i, align 4, !alias.scope !59, !noalias !60
  %.897.i.i = icmp sgt i64 %.844.0157.i.i, 1
  br i1 %.897.i.i, label %B1120.if.i.i, label %B978.loopexit.i.i

B669.i:                                           ; preds = %B978.loopexit.i.i, %B872.loopexit.i.i, %B934.else.if.i.i, %B828.else.if.i.i
  %.314.i = icmp sgt i64 %.260.0120.i, 1
  br i1 %.314.i, label %B142.if.i, label %B52.loopexit.i

B0.else.i:                                        ; preds = %8
  %.46.i = icmp ne i64 %.31.i, -9223372036854775808
  %.47.i = icmp ne i64 %7, -1
  %.48.not.i = or i1 %.47.i, %.46.i
  br i1 %.48.not.i, label %B0.else.if.i, label %B0.endif.i, !prof !61

B0.endif.i:                                       ; preds = %B0.else.if.i, %B0.else.i, %8
  %quot.0.i = phi i64 [ 0, %8 ], [ %12, %B0.else.if.i ], [ 0, %B0.else.i ]
  %.155122.not.i = icmp eq i64 %quot.0.i, 0
  br i1 %.155122.not.i, label %multiply.102.exit, label %B54.if.lr.ph.i

B54.if.lr.ph.i:                                   ; preds = %B0.endif.i
  %9 = add nuw i64 %1, 3
  %.292.i = lshr i64 %9, 2
  %.271.inv.i = icmp sgt i64 %1, 0
  %storemerge106.i = select i1 %.271.inv.i, i64 %.292.i, i64 0
  %.314119.not.i = icmp eq i64 %storemerge106.i, 0
  %.501.idx.i = shl i64 %6, 3
  %.505.idx.i = mul i64 %6, 12
  %.79.i.i = icmp slt i64 %2, 4
  %.41.i.i = add nsw i64 %2, -3
  %10 = and i64 %.41.i.i, -9223372036854775805
  %.99.i.i = icmp sgt i64 %10, 0
  %.100161.i.i = lshr i64 %.41.i.i, 2
  %.101.i.i = zext i1 %.99.i.i to i64
  %.102.i.i = add nuw nsw i64 %.100161.i.i, %.101.i.i
  %.501.i.i = shl nsw i64 %4, 1
  %.508.i.i = mul nsw i64 %4, 3
  %.695.i.i = and i64 %2, 3
  %.738158.not.i.i = icmp eq i64 %.695.i.i, 0
  %.655.i.i = and i64 %2, -4
  %.61.i.i = icmp slt i64 %2, 8
  %.23.i.i = add nsw i64 %2, -7
  %11 = and i64 %.23.i.i, -9223372036854775801
  %.81.i.i = icmp sgt i64 %11, 0
  %.82165.i.i = lshr i64 %.23.i.i, 3
  %.83.i.i = zext i1 %.81.i.i to i64
  %.84.i.i = add nuw nsw i64 %.82165.i.i, %.83.i.i
  %.396.i.i = shl nsw i64 %4, 2
  %.403.i.i = mul nsw i64 %4, 5
  %.410.i.i = mul nsw i64 %4, 6
  %.417.i.i = mul nsw i64 %4, 7
  %.554.i.i = and i64 %2, 7
  %.597162.not.i.i = icmp eq i64 %.554.i.i, 0
  %.514.i.i = and i64 %2, -8
  %.123152.i.not128.i = icmp eq i64 %.102.i.i, 0
  %.123152.i.not.i = select i1 %.79.i.i, i1 true, i1 %.123152.i.not128.i
  %.105156.i.not129.i = icmp eq i64 %.84.i.i, 0
  %.105156.i.not.i = select i1 %.61.i.i, i1 true, i1 %.105156.i.not129.i
  br label %B54.if.i

B0.else.if.i:                                     ; preds = %B0.else.i
  %.51.i = sdiv i64 %.31.i, %7
  %.52.i = srem i64 %.31.i, %7
  %.53.i = xor i64 %.52.i, %7
  %.54.i = icmp slt i64 %.53.i, 0
  %.55.i = icmp ne i64 %.52.i, 0
  %.56.i = and i1 %.55.i, %.54.i
  %.61.i = sext i1 %.56.i to i64
  %spec.select.i = add i64 %.51.i, %.61.i
  %12 = tail call i64 @llvm.smax.i64(i64 %spec.select.i, i64 0)
  br label %B0.endif.i

B54.if.i:                                         ; preds = %B54.if.lr.ph.i, %B52.loopexit.i
  %.96.0124.i = phi i64 [ 0, %B54.if.lr.ph.i ], [ %.168.i, %B52.loopexit.i ]
  %.99.0123.i = phi i64 [ %quot.0.i, %B54.if.lr.ph.i ], [ %.164.i, %B52.loopexit.i ]
  %.164.i = add nsw i64 %.99.0123.i, -1
  %.168.i = add nuw nsw i64 %.96.0124.i, 1
  %13 = mul nsw i64 %.96.0124.i, %7
  %invariant.gep.i = getelementptr float, ptr %5, i64 %13
  br i1 %.314119.not.i, label %B52.loopexit.i, label %B142.if.lr.ph.i

B142.if.lr.ph.i:                                  ; preds = %B54.if.i
  %.200.i = sub nsw i64 %4, %13
  %.13.i117.i = tail call i64 @llvm.smin.i64(i64 %.200.i, i64 %7)
  %.364.i = getelementptr i8, ptr %3, i64 %13
  %storemerge148.i.i = tail call i64 @llvm.smax.i64(i64 %.13.i117.i, i64 0)
  %.452149.not.i.i = icmp slt i64 %.13.i117.i, 1
  br label %B142.if.i

B142.if.i:                                        ; preds = %B142.if.lr.ph.i, %B669.i
  %.257.0121.i = phi i64 [ 0, %B142.if.lr.ph.i ], [ %.327.i, %B669.i ]
  %.260.0120.i = phi i64 [ %storemerge106.i, %B142.if.lr.ph.i ], [ %.323.i, %B669.i ]
  %.323.i = add nsw i64 %.260.0120.i, -1
  %.327.i = add nuw i64 %.257.0121.i, 4
  %.353.i = mul nsw i64 %.257.0121.i, %2
  %.355.i = getelementptr float, ptr %0, i64 %.353.i
  %.357.i = mul nsw i64 %.257.0121.i, %6
  %gep.i = getelementptr float, ptr %invariant.gep.i, i64 %.357.i
  %.375.i = sub nsw i64 %1, %.257.0121.i
  %.380.i = icmp eq i64 %.375.i, 1
  br i1 %.380.i, label %B282.i, label %B324.i

multiply.102.exit: ; preds = %B52.loopexit.i, %B0.endif.i
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.smin.i64(i64, i64) #2

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.smax.i64(i64, i64) #2

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite)
declare void @llvm.experimental.noalias.scope.decl(metadata) #3

attributes #0 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #1 = { nofree norecurse nosync nounwind memory(argmem: readwrite, inaccessiblemem: readwrite) }
attributes #2 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #3 = { nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite) }

!0 = !{!1}
!1 = distinct !{!1, !2, !"multiply.102: %arg.x"}
!2 = distinct !{!2, !"multiply.102"}
!3 = !{!4}
!4 = distinct !{!4, !2, !"multiply.102: %arg.weight"}
!5 = !{!6}
!6 = distinct !{!6, !2, !"multiply.102: %arg.out"}
!7 = !{!"branch_weights", i32 1, i32 99}
!8 = !{!9}
!9 = distinct !{!9, !10, !"_multiply_row.103: %arg.a"}
!10 = distinct !{!10, !"_multiply_row.103"}
!11 = !{!12}
!12 = distinct !{!12, !10, !"_multiply_row.103: %arg.weight"}
!13 = !{!14}
!14 = distinct !{!14, !10, !"_multiply_row.103: %arg.out"}
!15 = !{!9, !1}
!16 = !{!17, !12, !14, !18, !4, !6}
!17 = distinct !{!17, !10, !"_multiply_row.103: %retptr"}
!18 = distinct !{!18, !2, !"multiply.102: %retptr"}
!19 = !{!12, !4}
!20 = !{!17, !9, !14, !18, !1, !6}
!21 = !{!14, !6}
!22 = !{!17, !9, !12, !18, !1, !4}
!23 = !{!24}
!24 = distinct !{!24, !25, !"_multiply_four.125: %arg.a"}
!25 = distinct !{!25, !"_multiply_four.125"}
!26 = !{!27}
!27 = distinct !{!27, !25, !"_multiply_four.125: %arg.b"}
!28 = !{!29}
!29 = distinct !{!29, !25, !"_multiply_four.125: %arg.c"}
!30 = !{!31}
!31 = distinct !{!31, !25, !"_multiply_four.125: %arg.d"}
!32 = !{!33}
!33 = distinct !{!33, !25, !"_multiply_four.125: %arg.weight"}
!34 = !{!35}
!35 = distinct !{!35, !25, !"_multiply_four.125: %arg.out_a"}
!36 = !{!37}
!37 = distinct !{!37, !25, !"_multiply_four.125: %arg.out_b"}
!38 = !{!39}
!39 = distinct !{!39, !25, !"_multiply_four.125: %arg.out_c"}
!40 = !{!41}
!41 = distinct !{!41, !25, !"_multiply_four.125: %arg.out_d"}
!42 = !{!24, !1}
!43 = !{!44, !27, !29, !31, !33, !35, !37, !39, !41, !18, !4, !6}
!44 = distinct !{!44, !25, !"_multiply_four.125: %retptr"}
!45 = !{!27, !1}
!46 = !{!44, !24, !29, !31, !33, !35, !37, !39, !41, !18, !4, !6}
!47 = !{!29, !1}
!48 = !{!44, !24, !27, !31, !33, !35, !37, !39, !41, !18, !4, !6}
!49 = !{!31, !1}
!50 = !{!44, !24, !27, !29, !33, !35, !37, !39, !41, !18, !4, !6}
!51 = !{!33, !4}
!52 = !{!44, !24, !27, !29, !31, !35, !37, !39, !41, !18, !1, !6}
!53 = !{!35, !6}
!54 = !{!44, !24, !27, !29, !31, !33, !37, !39, !41, !18, !1, !4}
!55 = !{!37, !6}
!56 = !{!44, !24, !27, !29, !31, !33, !35, !39, !41, !18, !1, !4}
!57 = !{!39, !6}
!58 = !{!44, !24, !27, !29, !31, !33, !35, !37, !41, !18, !1, !4}
!59 = !{!41, !6}
!60 = !{!44, !24, !27, !29, !31, !33, !35, !37, !39, !18, !1, !4}
!61 = !{!"branch_weights", i32 99, i32 1}

; loop: update_cells_float32
; ModuleID = '<string>'
source_filename = "<string>"

; Function Attrs: nofree norecurse nosync nounwind memory(argmem: readwrite, inaccessiblemem: readwrite)
define void @update_cells_float32(ptr noalias readonly %0, ptr noalias readonly %1, ptr noalias readonly %2, ptr noalias readonly %3, ptr noalias %4, ptr noalias writeonly %5, i64 %6, i64 %7, float %8) local_unnamed_addr #0 {
  tail call void @llvm.experimental.noalias.scope.decl(metadata !0)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !3)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !5)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !7)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !9)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !11)
  %.11040.not.i = icmp slt i64 %6, 1
  br i1 %.11040.not.i, label %update_cells.153.exit, label %B34.if.lr.ph.i

B34.if.lr.ph.i:                                   ; preds = %9
  %.148.i = shl i64 %7, 2
  %.10753.not.i.i = icmp slt i64 %7, 1
  %.175.i.i = shl nuw nsw i64 %7, 1
  %.192.i.i = mul nuw nsw i64 %7, 3
  %.600.i.i = fneg contract float %8
  br label %B34.if.i

B34.if.i:                                         ; preds = %_update_scaled_row.154.exit.i, %B34.if.lr.ph.i
  %.52.042.i = phi i64 [ 0, %B34.if.lr.ph.i ], [ %.123.i, %_update_scaled_row.154.exit.i ]
  %.55.041.i = phi i64 [ %6, %B34.if.lr.ph.i ], [ %.119.i, %_update_scaled_row.154.exit.i ]
  %.119.i = add nsw i64 %.55.041.i, -1
  %.123.i = add nuw nsw i64 %.52.042.i, 1
  %.150.i = mul i64 %.52.042.i, %.148.i
  %.152.i = getelementptr float, ptr %0, i64 %.150.i
  %.154.i = getelementptr i64, ptr %3, i64 %.52.042.i
  %.155.i = load i64, ptr %.154.i, align 8, !alias.scope !7, !noalias !13
  %.158.i = mul i64 %.155.i, %.148.i
  %.160.i = getelementptr float, ptr %2, i64 %.158.i
  %.162.i = getelementptr float, ptr %1, i64 %.52.042.i
  %.163.i = load float, ptr %.162.i, align 4, !alias.scope !3, !noalias !15
  %.165.i = mul nsw i64 %.52.042.i, %7
  %.167.i = getelementptr float, ptr %4, i64 %.165.i
  %.171.i = getelementptr float, ptr %5, i64 %.165.i
  tail call void @llvm.experimental.noalias.scope.decl(metadata !16)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !19)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !21)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !23)
  br i1 %.10753.not.i.i, label %_update_scaled_row.154.exit.i, label %B34.if.i.i

B34.if.i.i:                                       ; preds = %B34.if.i, %B34.if.i.i
  %.52.055.i.i = phi i64 [ %.116.i.i, %B34.if.i.i ], [ %7, %B34.if.i ]
  %.49.054.i.i = phi i64 [ %.120.i.i, %B34.if.i.i ], [ 0, %B34.if.i ]
  %.116.i.i = add nsw i64 %.52.055.i.i, -1
  %.120.i.i = add nuw nsw i64 %.49.054.i.i, 1
  %.150.i.i = getelementptr float, ptr %.152.i, i64 %.49.054.i.i
  %.151.i.i = load float, ptr %.150.i.i, align 4, !alias.scope !25, !noalias !26
  %.153.i.i = fmul contract float %.163.i, %.151.i.i
  %.156.i.i = getelementptr float, ptr %.160.i, i64 %.49.054.i.i
  %.157.i.i = load float, ptr %.156.i.i, align 4, !alias.scope !28, !noalias !29
  %.158.i.i = fadd contract float %.153.i.i, %.157.i.i
  %.161.i.i = add nuw nsw i64 %.49.054.i.i, %7
  %.163.i.i = getelementptr float, ptr %.152.i, i64 %.161.i.i
  %.164.i.i = load float, ptr %.163.i.i, align 4, !alias.scope !25, !noalias !26
  %.166.i.i = fmul contract float %.163.i, %.164.i.i
  %.171.i.i = getelementptr float, ptr %.160.i, i64 %.161.i.i
  %.172.i.i = load float, ptr %.171.i.i, align 4, !alias.scope !28, !noalias !29
  %.173.i.i = fadd contract float %.166.i.i, %.172.i.i
  %.177.i.i = add nuw nsw i64 %.49.054.i.i, %.175.i.i
  %.179.i.i = getelementptr float, ptr %.152.i, i64 %.177.i.i
  %.180.i.i = load float, ptr %.179.i.i, align 4, !alias.scope !25, !noalias !26
  %.182.i.i = fmul contract float %.163.i, %.180.i.i
  %.188.i.i = getelementptr float, ptr %.160.i, i64 %.177.i.i
  %.189.i.i = load float, ptr %.188.i.i, align 4, !alias.scope !28, !noalias !29
  %.190.i.i = fadd contract float %.182.i.i, %.189.i.i
  %.194.i.i = add nuw nsw i64 %.49.054.i.i, %.192.i.i
  %.196.i.i = getelementptr float, ptr %.152.i, i64 %.194.i.i
  %.197.i.i = load float, ptr %.196.i.i, align 4, !alias.scope !25, !noalias !26
  %.199.i.i = fmul contract float %.163.i, %.197.i.i
  %.205.i.i = getelementptr float, ptr %.160.i, i64 %.194.i.i
  %.206.i.i = load float, ptr %.205.i.i, align 4, !alias.scope !28, !noalias !29
  %.207.i.i = fadd contract float %.199.i.i, %.206.i.i
  %.213.i.i = getelementptr float, ptr %.167.i, i64 %.49.054.i.i
  %.214.i.i = load float, ptr %.213.i.i, align 4, !alias.scope !30, !noalias !31
  %.234.i.i = fcmp contract ogt float %.158.i.i, 2.800000e+01
  %.228.i.i = fneg contract float %.158.i.i
  %_next_cell_v155_exp_v156__exp_parts_v157__vphi74_0.2.1.i.i = select i1 %.234.i.i, float -2.800000e+01, float %.228.i.i
  %.257.i.i = fcmp contract ogt float %_next_cell_v155_exp_v156__exp_parts_v157__vphi74_0.2.1.i.i, 2.800000e+01
  %_next_cell_v155_exp_v156__exp_parts_v157__vphi146_0.2.1.i.i = select i1 %.257.i.i, float 2.800000e+01, float %_next_cell_v155_exp_v156__exp_parts_v157__vphi74_0.2.1.i.i
  %.276.i.i = fmul contract float %_next_cell_v155_exp_v156__exp_parts_v157__vphi146_0.2.1.i.i, 0x3FF7154760000000
  %.278.i.i = fadd contract float %.276.i.i, 0x4168000FE0000000
  %.280.i.i = fadd contract float %.278.i.i, 0xC168000FE0000000
  %.282.i.i = fmul contract float %.280.i.i, 0x3FE6300000000000
  %.283.i.i = fsub contract float %_next_cell_v155_exp_v156__exp_parts_v157__vphi146_0.2.1.i.i, %.282.i.i
  %.285.i.i = fmul contract float %.280.i.i, 0x3F2BD01060000000
  %10 = fadd contract float %.285.i.i, %.283.i.i
  %.288.i.i = fmul contract float %10, 0x3F2A0D2CE0000000
  %.290.i.i = fadd contract float %.288.i.i, 0x3F56E879C0000000
  %.291.i.i = fmul contract float %10, %.290.i.i
  %.293.i.i = fadd contract float %.291.i.i, 0x3F81112100000000
  %.294.i.i = fmul contract float %10, %.293.i.i
  %.296.i.i = fadd contract float %.294.i.i, 0x3FA5553820000000
  %.297.i.i = fmul contract float %10, %.296.i.i
  %.299.i.i = fadd contract float %.297.i.i, 0x3FC5555540000000
  %.300.i.i = fmul contract float %10, %.299.i.i
  %.302.i.i = fadd contract float %.300.i.i, 5.000000e-01
  %.303.i.i = fmul contract float %10, %10
  %.304.i.i = fmul contract float %.303.i.i, %.302.i.i
  %.305.i.i = fadd contract float %10, %.304.i.i
  %.306.i.i = bitcast float %.278.i.i to i32
  %.310.i.i = shl i32 %.306.i.i, 23
  %.312.i.i = bitcast i32 %.310.i.i to float
  %.334.i.i = fadd contract float %.305.i.i, 1.000000e+00
  %.335.i.i = fmul contract float %.334.i.i, %.312.i.i
  %.348.i.i = fcmp contract ogt float %.173.i.i, 2.800000e+01
  %.340.i.i = fneg contract float %.173.i.i
  %_next_cell_v155_exp_v158__exp_parts_v159__vphi74_0.2.1.i.i = select i1 %.348.i.i, float -2.800000e+01, float %.340.i.i
  %.371.i.i = fcmp contract ogt float %_next_cell_v155_exp_v158__exp_parts_v159__vphi74_0.2.1.i.i, 2.800000e+01
  %_next_cell_v155_exp_v158__exp_parts_v159__vphi146_0.2.1.i.i = select i1 %.371.i.i, float 2.800000e+01, float %_next_cell_v155_exp_v158__exp_parts_v159__vphi74_0.2.1.i.i
  %.390.i.i = fmul contract float %_next_cell_v155_exp_v158__exp_parts_v159__vphi146_0.2.1.i.i, 0x3FF7154760000000
  %.392.i.i = fadd contract float %.390.i.i, 0x4168000FE0000000
  %.394.i.i = fadd contract float %.392.i.i, 0xC168000FE0000000
  %.396.i.i = fmul contract float %.394.i.i, 0x3FE6300000000000
  %.397.i.i = fsub contract float %_next_cell_v155_exp_v158__exp_parts_v159__vphi146_0.2.1.i.i, %.396.i.i
  %.399.i.i = fmul contract float %.394.i.i, 0x3F2BD01060000000
  %11 = fadd contract float %.399.i.i, %.397.i.i
  %.402.i.i = fmul contract float %11, 0x3F2A0D2CE0000000
  %.404.i.i = fadd contract float %.402.i.i, 0x3F56E879C0000000
  %.405.i.i = fmul contract float %11, %.404.i.i
  %.407.i.i = fadd contract float %.405.i.i, 0x3F81112100000000
  %.408.i.i = fmul contract float %11, %.407.i.i
  %.410.i.i = fadd contract float %.408.i.i, 0x3FA5553820000000
  %.411.i.i = fmul contract float %11, %.410.i.i
  %.413.i.i = fadd contract float %.411.i.i, 0x3FC5555540000000
  %.414.i.i = fmul contract float %11, %.413.i.i
  %.416.i.i = fadd contract float %.414.i.i, 5.000000e-01
  %.417.i.i = fmul contract float %11, %11
  %.418.i.i = fmul contract float %.417.i.i, %.416.i.i
  %.419.i.i = fadd contract float %11, %.418.i.i
  %.420.i.i = bitcast float %.392.i.i to i32
  %.424.i.i = shl i32 %.420.i.i, 23
  %.426.i.i = bitcast i32 %.424.i.i to float
  %.448.i.i = fadd contract float %.419.i.i, 1.000000e+00
  %.449.i.i = fmul contract float %.448.i.i, %.426.i.i
  %.462.i.i = fcmp contract ogt float %.190.i.i, 2.800000e+01
  %.454.i.i = fneg contract float %.190.i.i
  %_next_cell_v155_exp_v160__exp_parts_v161__vphi74_0.2.1.i.i = select i1 %.462.i.i, float -2.800000e+01, float %.454.i.i
  %.485.i.i = fcmp contract ogt float %_next_cell_v155_exp_v160__exp_parts_v161__vphi74_0.2.1.i.i, 2.800000e+01
  %_next_cell_v155_exp_v160__exp_parts_v161__vphi146_0.2.1.i.i = select i1 %.485.i.i, float 2.800000e+01, float %_next_cell_v155_exp_v160__exp_parts_v161__vphi74_0.2.1.i.i
  %.504.i.i = fmul contract float %_next_cell_v155_exp_v160__exp_parts_v161__vphi146_0.2.1.i.i, 0x3FF7154760000000
  %.506.i.i = fadd contract float %.504.i.i, 0x4168000FE0000000
  %.508.i.i = fadd contract float %.506.i.i, 0xC168000FE0000000
  %.510.i.i = fmul contract float %.508.i.i, 0x3FE6300000000000
  %.511.i.i = fsub contract float %_next_cell_v155_exp_v160__exp_parts_v161__vphi146_0.2.1.i.i, %.510.i.i
  %.513.i.i = fmul contract float %.508.i.i, 0x3F2BD01060000000
  %12 = fadd contract float %.513.i.i, %.511.i.i
  %.516.i.i = fmul contract float %12, 0x3F2A0D2CE0000000
  %.518.i.i = fadd contract float %.516.i.i, 0x3F56E879C0000000
  %.519.i.i = fmul contract float %12, %.518.i.i
  %.521.i.i = fadd contract float %.519.i.i, 0x3F81112100000000
  %.522.i.i = fmul contract float %12, %.521.i.i
  %.524.i.i = fadd contract float %.522.i.i, 0x3FA5553820000000
  %.525.i.i = fmul contract float %12, %.524.i.i
  %.527.i.i = fadd contract float %.525.i.i, 0x3FC5555540000000
  %.528.i.i = fmul contract float %12, %.527.i.i
  %.530.i.i = fadd contract float %.528.i.i, 5.000000e-01
  %.531.i.i = fmul contract float %12, %12
  %.532.i.i = fmul contract float %.531.i.i, %.530.i.i
  %.533.i.i = fadd contract float %12, %.532.i.i
  %.534.i.i = bitcast float %.506.i.i to i32
  %.538.i.i = shl i32 %.534.i.i, 23
  %.540.i.i = bitcast i32 %.538.i.i to float
  %.562.i.i = fadd contract float %.533.i.i, 1.000000e+00
  %.563.i.i = fmul contract float %.562.i.i, %.540.i.i
  %.571.i.i = fadd contract float %.335.i.i, 1.000000e+00
  %.573.i.i = fadd contract float %.449.i.i, 1.000000e+00
  %.574.i.i = fmul contract float %.571.i.i, %.573.i.i
  %.576.i.i = fadd contract float %.563.i.i, 1.000000e+00
  %.578.i.i = fmul contract float %.214.i.i, %.574.i.i
  %.582.i.i = fsub contract float 1.000000e+00, %.449.i.i
  %.583.i.i = fmul contract float %.582.i.i, %.576.i.i
  %.584.i.i = fadd contract float %.578.i.i, %.583.i.i
  %.585.i.i = fmul contract float %.574.i.i, %.576.i.i
  %.589.i.i = fdiv contract float %.584.i.i, %.585.i.i
  %.602.i.i = fcmp contract olt float %.589.i.i, %.600.i.i
  %_next_cell_v155_clipped_v162__vphi26_0.2.1.i.i = select i1 %.602.i.i, float %.600.i.i, float %.589.i.i
  %.626.i.i = fcmp contract ogt float %_next_cell_v155_clipped_v162__vphi26_0.2.1.i.i, %8
  %_next_cell_v155_clipped_v162__vphi46_0.2.1.i.i = select i1 %.626.i.i, float %8, float %_next_cell_v155_clipped_v162__vphi26_0.2.1.i.i
  store float %_next_cell_v155_clipped_v162__vphi46_0.2.1.i.i, ptr %.213.i.i, align 4, !alias.scope !30, !noalias !31
  %.668.i.i = fcmp contract ogt float %.207.i.i, 2.800000e+01
  %.662.i.i = fneg contract float %.207.i.i
  %_cell_output_v163_exp_v164__exp_parts_v165__vphi74_0.2.1.i.i = select i1 %.668.i.i, float -2.800000e+01, float %.662.i.i
  %.691.i.i = fcmp contract ogt float %_cell_output_v163_exp_v164__exp_parts_v165__vphi74_0.2.1.i.i, 2.800000e+01
  %_cell_output_v163_exp_v164__exp_parts_v165__vphi146_0.2.1.i.i = select i1 %.691.i.i, float 2.800000e+01, float %_cell_output_v163_exp_v164__exp_parts_v165__vphi74_0.2.1.i.i
  %.710.i.i = fmul contract float %_cell_output_v163_exp_v164__exp_parts_v165__vphi146_0.2.1.i.i, 0x3FF7154760000000
  %.712.i.i = fadd contract float %.710.i.i, 0x4168000FE0000000
  %.714.i.i = fadd contract float %.712.i.i, 0xC168000FE0000000
  %.716.i.i = fmul contract float %.714.i.i, 0x3FE6300000000000
  %.717.i.i = fsub contract float %_cell_output_v163_exp_v164__exp_parts_v165__vphi146_0.2.1.i.i, %.716.i.i
  %.719.i.i = fmul contract float %.714.i.i, 0x3F2BD01060000000
  %13 = fadd contract float %.719.i.i, %.717.i.i
  %.722.i.i = fmul contract float %13, 0x3F2A0D2CE0000000
  %.724.i.i = fadd contract float %.722.i.i, 0x3F56E879C0000000
  %.725.i.i = fmul contract float %13, %.724.i.i
  %.727.i.i = fadd contract float %.725.i.i, 0x3F81112100000000
  %.728.i.i = fmul contract float %13, %.727.i.i
  %.730.i.i = fadd contract float %.728.i.i, 0x3FA5553820000000
  %.731.i.i = fmul contract float %13, %.730.i.i
  %.733.i.i = fadd contract float %.731.i.i, 0x3FC5555540000000
  %.734.i.i = fmul contract float %13, %.733.i.i
  %.736.i.i = fadd contract float %.734.i.i, 5.000000e-01
  %.737.i.i = fmul contract float %13, %13
  %.738.i.i = fmul contract float %.737.i.i, %.736.i.i
  %.739.i.i = fadd contract float %13, %.738.i.i
  %.740.i.i = bitcast float %.712.i.i to i32
  %.744.i.i = shl i32 %.740.i.i, 23
  %.746.i.i = bitcast i32 %.744.i.i to float
  %.768.i.i = fadd contract float %.739.i.i, 1.000000e+00
  %.769.i.i = fmul contract float %.768.i.i, %.746.i.i
  %.775.i.i = fmul contract float %_next_cell_v155_clipped_v162__vphi46_0.2.1.i.i, -2.000000e+00
  %.783.i.i = fcmp contract olt float %.775.i.i, -2.800000e+01
  %_cell_output_v163_exp_v166__exp_parts_v167__vphi74_0.2.1.i.i = select i1 %.783.i.i, float -2.800000e+01, float %.775.i.i
  %.806.i.i = fcmp contract ogt float %_cell_output_v163_exp_v166__exp_parts_v167__vphi74_0.2.1.i.i, 2.800000e+01
  %_cell_output_v163_exp_v166__exp_parts_v167__vphi146_0.2.1.i.i = select i1 %.806.i.i, float 2.800000e+01, float %_cell_output_v163_exp_v166__exp_parts_v167__vphi74_0.2.1.i.i
  %.825.i.i = fmul contract float %_cell_output_v163_exp_v166__exp_parts_v167__vphi146_0.2.1.i.i, 0x3FF7154760000000
  %.827.i.i = fadd contract float %.825.i.i, 0x4168000FE0000000
  %.829.i.i = fadd contract float %.827.i.i, 0xC168000FE0000000
  %.831.i.i = fmul contract float %.829.i.i, 0x3FE6300000000000
  %.832.i.i = fsub contract float %_cell_output_v163_exp_v166__exp_parts_v167__vphi146_0.2.1.i.i, %.831.i.i
  %.834.i.i = fmul contract float %.829.i.i, 0x3F2BD01060000000
  %14 = fadd contract float %.834.i.i, %.832.i.i
  %.837.i.i = fmul contract float %14, 0x3F2A0D2CE0000000
  %.839.i.i = fadd contract float %.837.i.i, 0x3F56E879C0000000
  %.840.i.i = fmul contract float %14, %.839.i.i
  %.842.i.i = fadd contract float %.840.i.i, 0x3F81112100000000
  %.843.i.i = fmul contract float %14, %.842.i.i
  %.845.i.i = fadd contract float %.843.i.i, 0x3FA5553820000000
  %.846.i.i = fmul contract float %14, %.845.i.i
  %.848.i.i = fadd contract float %.846.i.i, 0x3FC5555540000000
  %.849.i.i = fmul contract float %14, %.848.i.i
  %.851.i.i = fadd contract float %.849.i.i, 5.000000e-01
  %.852.i.i = fmul contract float %14, %14
  %.853.i.i = fmul contract float %.852.i.i, %.851.i.i
  %.854.i.i = fadd contract float %14, %.853.i.i
  %.855.i.i = bitcast float %.827.i.i to i32
  %.859.i.i = shl i32 %.855.i.i, 23
  %.861.i.i = bitcast i32 %.859.i.i to float
  %.883.i.i = fadd contract float %.854.i.i, 1.000000e+00
  %.884.i.i = fmul contract float %.883.i.i, %.861.i.i
  %.889.i.i = fsub contract float 1.000000e+00, %.884.i.i
  %.891.i.i = fadd contract float %.769.i.i, 1.000000e+00
  %.893.i.i = fadd contract float %.884.i.i, 1.000000e+00
  %.894.i.i = fmul contract float %.891.i.i, %.893.i.i
  %.898.i.i = fdiv contract float %.889.i.i, %.894.i.i
  %.900.i.i = fmul contract float %.898.i.i, 5.000000e-01
  %.907.i.i = getelementptr float, ptr %.171.i, i64 %.49.054.i.i
  store float %.900.i.i, ptr %.907.i.i, align 4, !alias.scope !32, !noalias !33
  %.107.i.i = icmp sgt i64 %.52.055.i.i, 1
  br i1 %.107.i.i, label %B34.if.i.i, label %_update_scaled_row.154.exit.i

_update_scaled_row.154.exit.i: ; preds = %B34.if.i.i, %B34.if.i
  %.110.i = icmp sgt i64 %.55.041.i, 1
  br i1 %.110.i, label %B34.if.i, label %update_cells.153.exit

update_cells.153.exit: ; preds = %_update_scaled_row.154.exit.i, %9
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite)
declare void @llvm.experimental.noalias.scope.decl(metadata) #1

attributes #0 = { nofree norecurse nosync nounwind memory(argmem: readwrite, inaccessiblemem: readwrite) }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite) }

!0 = !{!1}
!1 = distinct !{!1, !2, !"update_cells.153: %arg.products"}
!2 = distinct !{!2, !"update_cells.153"}
!3 = !{!4}
!4 = distinct !{!4, !2, !"update_cells.153: %arg.scales"}
!5 = !{!6}
!6 = distinct !{!6, !2, !"update_cells.153: %arg.inputs"}
!7 = !{!8}
!8 = distinct !{!8, !2, !"update_cells.153: %arg.index"}
!9 = !{!10}
!10 = distinct !{!10, !2, !"update_cells.153: %arg.cells"}
!11 = !{!12}
!12 = distinct !{!12, !2, !"update_cells.153: %arg.hidden"}
!13 = !{!14, !1, !4, !6, !10, !12}
!14 = distinct !{!14, !2, !"update_cells.153: %retptr"}
!15 = !{!14, !1, !6, !8, !10, !12}
!16 = !{!17}
!17 = distinct !{!17, !18, !"_update_scaled_row.154: %arg.product"}
!18 = distinct !{!18, !"_update_scaled_row.154"}
!19 = !{!20}
!20 = distinct !{!20, !18, !"_update_scaled_row.154: %arg.given"}
!21 = !{!22}
!22 = distinct !{!22, !18, !"_update_scaled_row.154: %arg.cell"}
!23 = !{!24}
!24 = distinct !{!24, !18, !"_update_scaled_row.154: %arg.out"}
!25 = !{!17, !1}
!26 = !{!27, !20, !22, !24, !14, !4, !6, !8, !10, !12}
!27 = distinct !{!27, !18, !"_update_scaled_row.154: %retptr"}
!28 = !{!20, !6}
!29 = !{!27, !17, !22, !24, !14, !1, !4, !8, !10, !12}
!30 = !{!22, !10}
!31 = !{!27, !17, !20, !24, !14, !1, !4, !6, !8, !12}
!32 = !{!24, !12}
!33 = !{!27, !17, !20, !22, !14, !1, !4, !6, !8, !10}

; loop: finish_step_float32
; ModuleID = '<string>'
source_filename = "<string>"

; Function Attrs: nofree norecurse nosync nounwind memory(argmem: readwrite, inaccessiblemem: readwrite)
define void @finish_step_float32(ptr noalias readonly %0, ptr noalias writeonly %1, ptr noalias writeonly %2, i64 %3, float %4) local_unnamed_addr #0 {
  tail call void @llvm.experimental.noalias.scope.decl(metadata !0)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !3)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !5)
  %.9838.not.i = icmp slt i64 %3, 1
  br i1 %.9838.not.i, label %finish_step.187.exit, label %B34.if.lr.ph.i

B34.if.lr.ph.i:                                   ; preds = %5
  %.151.i = fneg contract float %4
  br label %B34.if.i

B34.if.i:                                         ; preds = %B34.if.i, %B34.if.lr.ph.i
  %.43.040.i = phi i64 [ %3, %B34.if.lr.ph.i ], [ %.107.i, %B34.if.i ]
  %.40.039.i = phi i64 [ 0, %B34.if.lr.ph.i ], [ %.111.i, %B34.if.i ]
  %.107.i = add nsw i64 %.43.040.i, -1
  %.111.i = add nuw nsw i64 %.40.039.i, 1
  %.141.i = getelementptr float, ptr %0, i64 %.40.039.i
  %.142.i = load float, ptr %.141.i, align 4, !alias.scope !0, !noalias !7
  %.153.i = fcmp contract olt float %.142.i, %.151.i
  %.151..142.i = select i1 %.153.i, float %.151.i, float %.142.i
  %.177.i = fcmp contract ogt float %.151..142.i, %4
  %clipped_v188__vphi46_0.2.1.i = select i1 %.177.i, float %4, float %.151..142.i
  %.201.i = getelementptr float, ptr %1, i64 %.40.039.i
  store float %clipped_v188__vphi46_0.2.1.i, ptr %.201.i, align 4, !alias.scope !3, !noalias !9
  %.205.i = getelementptr float, ptr %2, i64 %.40.039.i
  store float %clipped_v188__vphi46_0.2.1.i, ptr %.205.i, align 4, !alias.scope !5, !noalias !10
  %.98.i = icmp sgt i64 %.43.040.i, 1
  br i1 %.98.i, label %B34.if.i, label %finish_step.187.exit

finish_step.187.exit: ; preds = %B34.if.i, %5
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite)
declare void @llvm.experimental.noalias.scope.decl(metadata) #1

attributes #0 = { nofree norecurse nosync nounwind memory(argmem: readwrite, inaccessiblemem: readwrite) }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite) }

!0 = !{!1}
!1 = distinct !{!1, !2, !"finish_step.187: %arg.products"}
!2 = distinct !{!2, !"finish_step.187"}
!3 = !{!4}
!4 = distinct !{!4, !2, !"finish_step.187: %arg.out"}
!5 = !{!6}
!6 = distinct !{!6, !2, !"finish_step.187: %arg.h"}
!7 = !{!8, !4, !6}
!8 = distinct !{!8, !2, !"finish_step.187: %retptr"}
!9 = !{!8, !1, !6}
!10 = !{!8, !1, !4}

; loop: update_cells_bf16
; ModuleID = '<string>'
source_filename = "<string>"

; Function Attrs: nofree norecurse nosync nounwind memory(argmem: readwrite, inaccessiblemem: readwrite)
define void @update_cells_bf16(ptr noalias readonly %0, ptr noalias readonly %1, ptr noalias readonly %2, ptr noalias readonly %3, ptr noalias %4, ptr noalias writeonly %5, i64 %6, i64 %7, float %8) local_unnamed_addr #0 {
  tail call void @llvm.experimental.noalias.scope.decl(metadata !0)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !3)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !5)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !7)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !9)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !11)
  %.11040.not.i = icmp slt i64 %6, 1
  br i1 %.11040.not.i, label %update_cells.191.exit, label %B34.if.lr.ph.i

B34.if.lr.ph.i:                                   ; preds = %9
  %.148.i = shl i64 %7, 2
  %.10753.not.i.i = icmp slt i64 %7, 1
  %.203.i.i = shl nuw nsw i64 %7, 1
  %.234.i.i = mul nuw nsw i64 %7, 3
  %.656.i.i = fneg contract float %8
  br label %B34.if.i

B34.if.i:                                         ; preds = %_update_scaled_row.192.exit.i, %B34.if.lr.ph.i
  %.52.042.i = phi i64 [ 0, %B34.if.lr.ph.i ], [ %.123.i, %_update_scaled_row.192.exit.i ]
  %.55.041.i = phi i64 [ %6, %B34.if.lr.ph.i ], [ %.119.i, %_update_scaled_row.192.exit.i ]
  %.119.i = add nsw i64 %.55.041.i, -1
  %.123.i = add nuw nsw i64 %.52.042.i, 1
  %.150.i = mul i64 %.52.042.i, %.148.i
  %.152.i = getelementptr i16, ptr %0, i64 %.150.i
  %.154.i = getelementptr i64, ptr %3, i64 %.52.042.i
  %.155.i = load i64, ptr %.154.i, align 8, !alias.scope !7, !noalias !13
  %.158.i = mul i64 %.155.i, %.148.i
  %.160.i = getelementptr i16, ptr %2, i64 %.158.i
  %.162.i = getelementptr float, ptr %1, i64 %.52.042.i
  %.163.i = load float, ptr %.162.i, align 4, !alias.scope !3, !noalias !15
  %.165.i = mul nsw i64 %.52.042.i, %7
  %.167.i = getelementptr float, ptr %4, i64 %.165.i
  %.171.i = getelementptr i16, ptr %5, i64 %.165.i
  tail call void @llvm.experimental.noalias.scope.decl(metadata !16)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !19)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !21)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !23)
  br i1 %.10753.not.i.i, label %_update_scaled_row.192.exit.i, label %B34.if.i.i

B34.if.i.i:                                       ; preds = %B34.if.i, %B34.if.i.i
  %.52.055.i.i = phi i64 [ %.116.i.i, %B34.if.i.i ], [ %7, %B34.if.i ]
  %.49.054.i.i = phi i64 [ %.120.i.i, %B34.if.i.i ], [ 0, %B34.if.i ]
  %.116.i.i = add nsw i64 %.52.055.i.i, -1
  %.120.i.i = add nuw nsw i64 %.49.054.i.i, 1
  %.150.i.i = getelementptr i16, ptr %.152.i, i64 %.49.054.i.i
  %.151.i.i = load i16, ptr %.150.i.i, align 2, !alias.scope !25, !noalias !26
  %.155.i.i = zext i16 %.151.i.i to i32
  %.156.i.i = shl nuw i32 %.155.i.i, 16
  %.158.i.i = bitcast i32 %.156.i.i to float
  %.160.i.i = fmul contract float %.163.i, %.158.i.i
  %.163.i.i = getelementptr i16, ptr %.160.i, i64 %.49.054.i.i
  %.164.i.i = load i16, ptr %.163.i.i, align 2, !alias.scope !28, !noalias !29
  %.168.i.i = zext i16 %.164.i.i to i32
  %.169.i.i = shl nuw i32 %.168.i.i, 16
  %.171.i.i = bitcast i32 %.169.i.i to float
  %.172.i.i = fadd contract float %.160.i.i, %.171.i.i
  %.175.i.i = add nuw nsw i64 %.49.054.i.i, %7
  %.177.i.i = getelementptr i16, ptr %.152.i, i64 %.175.i.i
  %.178.i.i = load i16, ptr %.177.i.i, align 2, !alias.scope !25, !noalias !26
  %.182.i.i = zext i16 %.178.i.i to i32
  %.183.i.i = shl nuw i32 %.182.i.i, 16
  %.185.i.i = bitcast i32 %.183.i.i to float
  %.187.i.i = fmul contract float %.163.i, %.185.i.i
  %.192.i.i = getelementptr i16, ptr %.160.i, i64 %.175.i.i
  %.193.i.i = load i16, ptr %.192.i.i, align 2, !alias.scope !28, !noalias !29
  %.197.i.i = zext i16 %.193.i.i to i32
  %.198.i.i = shl nuw i32 %.197.i.i, 16
  %.200.i.i = bitcast i32 %.198.i.i to float
  %.201.i.i = fadd contract float %.187.i.i, %.200.i.i
  %.205.i.i = add nuw nsw i64 %.49.054.i.i, %.203.i.i
  %.207.i.i = getelementptr i16, ptr %.152.i, i64 %.205.i.i
  %.208.i.i = load i16, ptr %.207.i.i, align 2, !alias.scope !25, !noalias !26
  %.212.i.i = zext i16 %.208.i.i to i32
  %.213.i.i = shl nuw i32 %.212.i.i, 16
  %.215.i.i = bitcast i32 %.213.i.i to float
  %.217.i.i = fmul contract float %.163.i, %.215.i.i
  %.223.i.i = getelementptr i16, ptr %.160.i, i64 %.205.i.i
  %.224.i.i = load i16, ptr %.223.i.i, align 2, !alias.scope !28, !noalias !29
  %.228.i.i = zext i16 %.224.i.i to i32
  %.229.i.i = shl nuw i32 %.228.i.i, 16
  %.231.i.i = bitcast i32 %.229.i.i to float
  %.232.i.i = fadd contract float %.217.i.i, %.231.i.i
  %.236.i.i = add nuw nsw i64 %.49.054.i.i, %.234.i.i
  %.238.i.i = getelementptr i16, ptr %.152.i, i64 %.236.i.i
  %.239.i.i = load i16, ptr %.238.i.i, align 2, !alias.scope !25, !noalias !26
  %.243.i.i = zext i16 %.239.i.i to i32
  %.244.i.i = shl nuw i32 %.243.i.i, 16
  %.246.i.i = bitcast i32 %.244.i.i to float
  %.248.i.i = fmul contract float %.163.i, %.246.i.i
  %.254.i.i = getelementptr i16, ptr %.160.i, i64 %.236.i.i
  %.255.i.i = load i16, ptr %.254.i.i, align 2, !alias.scope !28, !noalias !29
  %.259.i.i = zext i16 %.255.i.i to i32
  %.260.i.i = shl nuw i32 %.259.i.i, 16
  %.262.i.i = bitcast i32 %.260.i.i to float
  %.263.i.i = fadd contract float %.248.i.i, %.262.i.i
  %.269.i.i = getelementptr float, ptr %.167.i, i64 %.49.054.i.i
  %.270.i.i = load float, ptr %.269.i.i, align 4, !alias.scope !30, !noalias !31
  %.290.i.i = fcmp contract ogt float %.172.i.i, 2.800000e+01
  %.284.i.i = fneg contract float %.172.i.i
  %_next_cell_v193_exp_v194__exp_parts_v195__vphi74_0.2.1.i.i = select i1 %.290.i.i, float -2.800000e+01, float %.284.i.i
  %.313.i.i = fcmp contract ogt float %_next_cell_v193_exp_v194__exp_parts_v195__vphi74_0.2.1.i.i, 2.800000e+01
  %_next_cell_v193_exp_v194__exp_parts_v195__vphi146_0.2.1.i.i = select i1 %.313.i.i, float 2.800000e+01, float %_next_cell_v193_exp_v194__exp_parts_v195__vphi74_0.2.1.i.i
  %.332.i.i = fmul contract float %_next_cell_v193_exp_v194__exp_parts_v195__vphi146_0.2.1.i.i, 0x3FF7154760000000
  %.334.i.i = fadd contract float %.332.i.i, 0x4168000FE0000000
  %.336.i.i = fadd contract float %.334.i.i, 0xC168000FE0000000
  %.338.i.i = fmul contract float %.336.i.i, 0x3FE6300000000000
  %.339.i.i = fsub contract float %_next_cell_v193_exp_v194__exp_parts_v195__vphi146_0.2.1.i.i, %.338.i.i
  %.341.i.i = fmul contract float %.336.i.i, 0x3F2BD01060000000
  %10 = fadd contract float %.341.i.i, %.339.i.i
  %.344.i.i = fmul contract float %10, 0x3F2A0D2CE0000000
  %.346.i.i = fadd contract float %.344.i.i, 0x3F56E879C0000000
  %.347.i.i = fmul contract float %10, %.346.i.i
  %.349.i.i = fadd contract float %.347.i.i, 0x3F81112100000000
  %.350.i.i = fmul contract float %10, %.349.i.i
  %.352.i.i = fadd contract float %.350.i.i, 0x3FA5553820000000
  %.353.i.i = fmul contract float %10, %.352.i.i
  %.355.i.i = fadd contract float %.353.i.i, 0x3FC5555540000000
  %.356.i.i = fmul contract float %10, %.355.i.i
  %.358.i.i = fadd contract float %.356.i.i, 5.000000e-01
  %.359.i.i = fmul contract float %10, %10
  %.360.i.i = fmul contract float %.359.i.i, %.358.i.i
  %.361.i.i = fadd contract float %10, %.360.i.i
  %.362.i.i = bitcast float %.334.i.i to i32
  %.366.i.i = shl i32 %.362.i.i, 23
  %.368.i.i = bitcast i32 %.366.i.i to float
  %.390.i.i = fadd contract float %.361.i.i, 1.000000e+00
  %.391.i.i = fmul contract float %.390.i.i, %.368.i.i
  %.404.i.i = fcmp contract ogt float %.201.i.i, 2.800000e+01
  %.396.i.i = fneg contract float %.201.i.i
  %_next_cell_v193_exp_v196__exp_parts_v197__vphi74_0.2.1.i.i = select i1 %.404.i.i, float -2.800000e+01, float %.396.i.i
  %.427.i.i = fcmp contract ogt float %_next_cell_v193_exp_v196__exp_parts_v197__vphi74_0.2.1.i.i, 2.800000e+01
  %_next_cell_v193_exp_v196__exp_parts_v197__vphi146_0.2.1.i.i = select i1 %.427.i.i, float 2.800000e+01, float %_next_cell_v193_exp_v196__exp_parts_v197__vphi74_0.2.1.i.i
  %.446.i.i = fmul contract float %_next_cell_v193_exp_v196__exp_parts_v197__vphi146_0.2.1.i.i, 0x3FF7154760000000
  %.448.i.i = fadd contract float %.446.i.i, 0x4168000FE0000000
  %.450.i.i = fadd contract float %.448.i.i, 0xC168000FE0000000
  %.452.i.i = fmul contract float %.450.i.i, 0x3FE6300000000000
  %.453.i.i = fsub contract float %_next_cell_v193_exp_v196__exp_parts_v197__vphi146_0.2.1.i.i, %.452.i.i
  %.455.i.i = fmul contract float %.450.i.i, 0x3F2BD01060000000
  %11 = fadd contract float %.455.i.i, %.453.i.i
  %.458.i.i = fmul contract float %11, 0x3F2A0D2CE0000000
  %.460.i.i = fadd contract float %.458.i.i, 0x3F56E879C0000000
  %.461.i.i = fmul contract float %11, %.460.i.i
  %.463.i.i = fadd contract float %.461.i.i, 0x3F81112100000000
  %.464.i.i = fmul contract float %11, %.463.i.i
  %.466.i.i = fadd contract float %.464.i.i, 0x3FA5553820000000
  %.467.i.i = fmul contract float %11, %.466.i.i
  %.469.i.i = fadd contract float %.467.i.i, 0x3FC5555540000000
  %.470.i.i = fmul contract float %11, %.469.i.i
  %.472.i.i = fadd contract float %.470.i.i, 5.000000e-01
  %.473.i.i = fmul contract float %11, %11
  %.474.i.i = fmul contract float %.473.i.i, %.472.i.i
  %.475.i.i = fadd contract float %11, %.474.i.i
  %.476.i.i = bitcast float %.448.i.i to i32
  %.480.i.i = shl i32 %.476.i.i, 23
  %.482.i.i = bitcast i32 %.480.i.i to float
  %.504.i.i = fadd contract float %.475.i.i, 1.000000e+00
  %.505.i.i = fmul contract float %.504.i.i, %.482.i.i
  %.518.i.i = fcmp contract ogt float %.232.i.i, 2.800000e+01
  %.510.i.i = fneg contract float %.232.i.i
  %_next_cell_v193_exp_v198__exp_parts_v199__vphi74_0.2.1.i.i = select i1 %.518.i.i, float -2.800000e+01, float %.510.i.i
  %.541.i.i = fcmp contract ogt float %_next_cell_v193_exp_v198__exp_parts_v199__vphi74_0.2.1.i.i, 2.800000e+01
  %_next_cell_v193_exp_v198__exp_parts_v199__vphi146_0.2.1.i.i = select i1 %.541.i.i, float 2.800000e+01, float %_next_cell_v193_exp_v198__exp_parts_v199__vphi74_0.2.1.i.i
  %.560.i.i = fmul contract float %_next_cell_v193_exp_v198__exp_parts_v199__vphi146_0.2.1.i.i, 0x3FF7154760000000
  %.562.i.i = fadd contract float %.560.i.i, 0x4168000FE0000000
  %.564.i.i = fadd contract float %.562.i.i, 0xC168000FE0000000
  %.566.i.i = fmul contract float %.564.i.i, 0x3FE6300000000000
  %.567.i.i = fsub contract float %_next_cell_v193_exp_v198__exp_parts_v199__vphi146_0.2.1.i.i, %.566.i.i
  %.569.i.i = fmul contract float %.564.i.i, 0x3F2BD01060000000
  %12 = fadd contract float %.569.i.i, %.567.i.i
  %.572.i.i = fmul contract float %12, 0x3F2A0D2CE0000000
  %.574.i.i = fadd contract float %.572.i.i, 0x3F56E879C0000000
  %.575.i.i = fmul contract float %12, %.574.i.i
  %.577.i.i = fadd contract float %.575.i.i, 0x3F81112100000000
  %.578.i.i = fmul contract float %12, %.577.i.i
  %.580.i.i = fadd contract float %.578.i.i, 0x3FA5553820000000
  %.581.i.i = fmul contract float %12, %.580.i.i
  %.583.i.i = fadd contract float %.581.i.i, 0x3FC5555540000000
  %.584.i.i = fmul contract float %12, %.583.i.i
  %.586.i.i = fadd contract float %.584.i.i, 5.000000e-01
  %.587.i.i = fmul contract float %12, %12
  %.588.i.i = fmul contract float %.587.i.i, %.586.i.i
  %.589.i.i = fadd contract float %12, %.588.i.i
  %.590.i.i = bitcast float %.562.i.i to i32
  %.594.i.i = shl i32 %.590.i.i, 23
  %.596.i.i = bitcast i32 %.594.i.i to float
  %.618.i.i = fadd contract float %.589.i.i, 1.000000e+00
  %.619.i.i = fmul contract float %.618.i.i, %.596.i.i
  %.627.i.i = fadd contract float %.391.i.i, 1.000000e+00
  %.629.i.i = fadd contract float %.505.i.i, 1.000000e+00
  %.630.i.i = fmul contract float %.627.i.i, %.629.i.i
  %.632.i.i = fadd contract float %.619.i.i, 1.000000e+00
  %.634.i.i = fmul contract float %.270.i.i, %.630.i.i
  %.638.i.i = fsub contract float 1.000000e+00, %.505.i.i
  %.639.i.i = fmul contract float %.638.i.i, %.632.i.i
  %.640.i.i = fadd contract float %.634.i.i, %.639.i.i
  %.641.i.i = fmul contract float %.630.i.i, %.632.i.i
  %.645.i.i = fdiv contract float %.640.i.i, %.641.i.i
  %.658.i.i = fcmp contract olt float %.645.i.i, %.656.i.i
  %_next_cell_v193_clipped_v200__vphi26_0.2.1.i.i = select i1 %.658.i.i, float %.656.i.i, float %.645.i.i
  %.682.i.i = fcmp contract ogt float %_next_cell_v193_clipped_v200__vphi26_0.2.1.i.i, %8
  %_next_cell_v193_clipped_v200__vphi46_0.2.1.i.i = select i1 %.682.i.i, float %8, float %_next_cell_v193_clipped_v200__vphi26_0.2.1.i.i
  store float %_next_cell_v193_clipped_v200__vphi46_0.2.1.i.i, ptr %.269.i.i, align 4, !alias.scope !30, !noalias !31
  %.724.i.i = fcmp contract ogt float %.263.i.i, 2.800000e+01
  %.718.i.i = fneg contract float %.263.i.i
  %_cell_output_v201_exp_v202__exp_parts_v203__vphi74_0.2.1.i.i = select i1 %.724.i.i, float -2.800000e+01, float %.718.i.i
  %.747.i.i = fcmp contract ogt float %_cell_output_v201_exp_v202__exp_parts_v203__vphi74_0.2.1.i.i, 2.800000e+01
  %_cell_output_v201_exp_v202__exp_parts_v203__vphi146_0.2.1.i.i = select i1 %.747.i.i, float 2.800000e+01, float %_cell_output_v201_exp_v202__exp_parts_v203__vphi74_0.2.1.i.i
  %.766.i.i = fmul contract float %_cell_output_v201_exp_v202__exp_parts_v203__vphi146_0.2.1.i.i, 0x3FF7154760000000
  %.768.i.i = fadd contract float %.766.i.i, 0x4168000FE0000000
  %.770.i.i = fadd contract float %.768.i.i, 0xC168000FE0000000
  %.772.i.i = fmul contract float %.770.i.i, 0x3FE6300000000000
  %.773.i.i = fsub contract float %_cell_output_v201_exp_v202__exp_parts_v203__vphi146_0.2.1.i.i, %.772.i.i
  %.775.i.i = fmul contract float %.770.i.i, 0x3F2BD01060000000
  %13 = fadd contract float %.775.i.i, %.773.i.i
  %.778.i.i = fmul contract float %13, 0x3F2A0D2CE0000000
  %.780.i.i = fadd contract float %.778.i.i, 0x3F56E879C0000000
  %.781.i.i = fmul contract float %13, %.780.i.i
  %.783.i.i = fadd contract float %.781.i.i, 0x3F81112100000000
  %.784.i.i = fmul contract float %13, %.783.i.i
  %.786.i.i = fadd contract float %.784.i.i, 0x3FA5553820000000
  %.787.i.i = fmul contract float %13, %.786.i.i
  %.789.i.i = fadd contract float %.787.i.i, 0x3FC5555540000000
  %.790.i.i = fmul contract float %13, %.789.i.i
  %.792.i.i = fadd contract float %.790.i.i, 5.000000e-01
  %.793.i.i = fmul contract float %13, %13
  %.794.i.i = fmul contract float %.793.i.i, %.792.i.i
  %.795.i.i = fadd contract float %13, %.794.i.i
  %.796.i.i = bitcast float %.768.i.i to i32
  %.800.i.i = shl i32 %.796.i.i, 23
  %.802.i.i = bitcast i32 %.800.i.i to float
  %.824.i.i = fadd contract float %.795.i.i, 1.000000e+00
  %.825.i.i = fmul contract float %.824.i.i, %.802.i.i
  %.831.i.i = fmul contract float %_next_cell_v193_clipped_v200__vphi46_0.2.1.i.i, -2.000000e+00
  %.839.i.i = fcmp contract olt float %.831.i.i, -2.800000e+01
  %_cell_output_v201_exp_v204__exp_parts_v205__vphi74_0.2.1.i.i = select i1 %.839.i.i, float -2.800000e+01, float %.831.i.i
  %.862.i.i = fcmp contract ogt float %_cell_output_v201_exp_v204__exp_parts_v205__vphi74_0.2.1.i.i, 2.800000e+01
  %_cell_output_v201_exp_v204__exp_parts_v205__vphi146_0.2.1.i.i = select i1 %.862.i.i, float 2.800000e+01, float %_cell_output_v201_exp_v204__exp_parts_v205__vphi74_0.2.1.i.i
  %.881.i.i = fmul contract float %_cell_output_v201_exp_v204__exp_parts_v205__vphi146_0.2.1.i.i, 0x3FF7154760000000
  %.883.i.i = fadd contract float %.881.i.i, 0x4168000FE0000000
  %.885.i.i = fadd contract float %.883.i.i, 0xC168000FE0000000
  %.887.i.i = fmul contract float %.885.i.i, 0x3FE6300000000000
  %.888.i.i = fsub contract float %_cell_output_v201_exp_v204__exp_parts_v205__vphi146_0.2.1.i.i, %.887.i.i
  %.890.i.i = fmul contract float %.885.i.i, 0x3F2BD01060000000
  %14 = fadd contract float %.890.i.i, %.888.i.i
  %.893.i.i = fmul contract float %14, 0x3F2A0D2CE0000000
  %.895.i.i = fadd contract float %.893.i.i, 0x3F56E879C0000000
  %.896.i.i = fmul contract float %14, %.895.i.i
  %.898.i.i = fadd contract float %.896.i.i, 0x3F81112100000000
  %.899.i.i = fmul contract float %14, %.898.i.i
  %.901.i.i = fadd contract float %.899.i.i, 0x3FA5553820000000
  %.902.i.i = fmul contract float %14, %.901.i.i
  %.904.i.i = fadd contract float %.902.i.i, 0x3FC5555540000000
  %.905.i.i = fmul contract float %14, %.904.i.i
  %.907.i.i = fadd contract float %.905.i.i, 5.000000e-01
  %.908.i.i = fmul contract float %14, %14
  %.909.i.i = fmul contract float %.908.i.i, %.907.i.i
  %.910.i.i = fadd contract float %14, %.909.i.i
  %.911.i.i = bitcast float %.883.i.i to i32
  %.915.i.i = shl i32 %.911.i.i, 23
  %.917.i.i = bitcast i32 %.915.i.i to float
  %.939.i.i = fadd contract float %.910.i.i, 1.000000e+00
  %.940.i.i = fmul contract float %.939.i.i, %.917.i.i
  %.945.i.i = fsub contract float 1.000000e+00, %.940.i.i
  %.947.i.i = fadd contract float %.825.i.i, 1.000000e+00
  %.949.i.i = fadd contract float %.940.i.i, 1.000000e+00
  %.950.i.i = fmul contract float %.947.i.i, %.949.i.i
  %.954.i.i = fdiv contract float %.945.i.i, %.950.i.i
  %.956.i.i = fmul contract float %.954.i.i, 5.000000e-01
  %.963.i.i = bitcast float %.956.i.i to i32
  %.967.i.i = add i32 %.963.i.i, 32767
  %.971.i.i = lshr i32 %.963.i.i, 16
  %.974.i.i = and i32 %.971.i.i, 1
  %.975.i.i = add i32 %.967.i.i, %.974.i.i
  %.978.i.i = lshr i32 %.975.i.i, 16
  %.979.i.i = trunc nuw i32 %.978.i.i to i16
  %.980.i.i = getelementptr i16, ptr %.171.i, i64 %.49.054.i.i
  store i16 %.979.i.i, ptr %.980.i.i, align 2, !alias.scope !32, !noalias !33
  %.107.i.i = icmp sgt i64 %.52.055.i.i, 1
  br i1 %.107.i.i, label %B34.if.i.i, label %_update_scaled_row.192.exit.i

_update_scaled_row.192.exit.i: ; preds = %B34.if.i.i, %B34.if.i
  %.110.i = icmp sgt i64 %.55.041.i, 1
  br i1 %.110.i, label %B34.if.i, label %update_cells.191.exit

update_cells.191.exit: ; preds = %_update_scaled_row.192.exit.i, %9
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite)
declare void @llvm.experimental.noalias.scope.decl(metadata) #1

attributes #0 = { nofree norecurse nosync nounwind memory(argmem: readwrite, inaccessiblemem: readwrite) }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite) }

!0 = !{!1}
!1 = distinct !{!1, !2, !"update_cells.191: %arg.products"}
!2 = distinct !{!2, !"update_cells.191"}
!3 = !{!4}
!4 = distinct !{!4, !2, !"update_cells.191: %arg.scales"}
!5 = !{!6}
!6 = distinct !{!6, !2, !"update_cells.191: %arg.inputs"}
!7 = !{!8}
!8 = distinct !{!8, !2, !"update_cells.191: %arg.index"}
!9 = !{!10}
!10 = distinct !{!10, !2, !"update_cells.191: %arg.cells"}
!11 = !{!12}
!12 = distinct !{!12, !2, !"update_cells.191: %arg.hidden"}
!13 = !{!14, !1, !4, !6, !10, !12}
!14 = distinct !{!14, !2, !"update_cells.191: %retptr"}
!15 = !{!14, !1, !6, !8, !10, !12}
!16 = !{!17}
!17 = distinct !{!17, !18, !"_update_scaled_row.192: %arg.product"}
!18 = distinct !{!18, !"_update_scaled_row.192"}
!19 = !{!20}
!20 = distinct !{!20, !18, !"_update_scaled_row.192: %arg.given"}
!21 = !{!22}
!22 = distinct !{!22, !18, !"_update_scaled_row.192: %arg.cell"}
!23 = !{!24}
!24 = distinct !{!24, !18, !"_update_scaled_row.192: %arg.out"}
!25 = !{!17, !1}
!26 = !{!27, !20, !22, !24, !14, !4, !6, !8, !10, !12}
!27 = distinct !{!27, !18, !"_update_scaled_row.192: %retptr"}
!28 = !{!20, !6}
!29 = !{!27, !17, !22, !24, !14, !1, !4, !8, !10, !12}
!30 = !{!22, !10}
!31 = !{!27, !17, !20, !24, !14, !1, !4, !6, !8, !12}
!32 = !{!24, !12}
!33 = !{!27, !17, !20, !22, !14, !1, !4, !6, !8, !10}

; loop: finish_step_bf16
; ModuleID = '<string>'
source_filename = "<string>"

; Function Attrs: nofree norecurse nosync nounwind memory(argmem: readwrite, inaccessiblemem: readwrite)
define void @finish_step_bf16(ptr noalias readonly %0, ptr noalias writeonly %1, ptr noalias writeonly %2, i64 %3, float %4) local_unnamed_addr #0 {
  tail call void @llvm.experimental.noalias.scope.decl(metadata !0)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !3)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !5)
  %.9838.not.i = icmp slt i64 %3, 1
  br i1 %.9838.not.i, label %finish_step.225.exit, label %B34.if.lr.ph.i

B34.if.lr.ph.i:                                   ; preds = %5
  %.158.i = fneg contract float %4
  br label %B34.if.i

B34.if.i:                                         ; preds = %B34.if.i, %B34.if.lr.ph.i
  %.43.040.i = phi i64 [ %3, %B34.if.lr.ph.i ], [ %.107.i, %B34.if.i ]
  %.40.039.i = phi i64 [ 0, %B34.if.lr.ph.i ], [ %.111.i, %B34.if.i ]
  %.107.i = add nsw i64 %.43.040.i, -1
  %.111.i = add nuw nsw i64 %.40.039.i, 1
  %.141.i = getelementptr i16, ptr %0, i64 %.40.039.i
  %.142.i = load i16, ptr %.141.i, align 2, !alias.scope !0, !noalias !7
  %.146.i = zext i16 %.142.i to i32
  %.147.i = shl nuw i32 %.146.i, 16
  %.149.i = bitcast i32 %.147.i to float
  %.160.i = fcmp contract olt float %.149.i, %.158.i
  %.158..149.i = select i1 %.160.i, float %.158.i, float %.149.i
  %.184.i = fcmp contract ogt float %.158..149.i, %4
  %clipped_v226__vphi46_0.2.1.i = select i1 %.184.i, float %4, float %.158..149.i
  %.208.i = getelementptr float, ptr %1, i64 %.40.039.i
  store float %clipped_v226__vphi46_0.2.1.i, ptr %.208.i, align 4, !alias.scope !3, !noalias !9
  %.212.i = getelementptr float, ptr %2, i64 %.40.039.i
  store float %clipped_v226__vphi46_0.2.1.i, ptr %.212.i, align 4, !alias.scope !5, !noalias !10
  %.98.i = icmp sgt i64 %.43.040.i, 1
  br i1 %.98.i, label %B34.if.i, label %finish_step.225.exit

finish_step.225.exit: ; preds = %B34.if.i, %5
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite)
declare void @llvm.experimental.noalias.scope.decl(metadata) #1

attributes #0 = { nofree norecurse nosync nounwind memory(argmem: readwrite, inaccessiblemem: readwrite) }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite) }

!0 = !{!1}
!1 = distinct !{!1, !2, !"finish_step.225: %arg.products"}
!2 = distinct !{!2, !"finish_step.225"}
!3 = !{!4}
!4 = distinct !{!4, !2, !"finish_step.225: %arg.out"}
!5 = !{!6}
!6 = distinct !{!6, !2, !"finish_step.225: %arg.h"}
!7 = !{!8, !4, !6}
!8 = distinct !{!8, !2, !"finish_step.225: %retptr"}
!9 = !{!8, !1, !6}
!10 = !{!8, !1, !4}

; loop: update_cells_int8
; ModuleID = '<string>'
source_filename = "<string>"

; Function Attrs: nofree norecurse nosync nounwind memory(argmem: readwrite, inaccessiblemem: readwrite)
define void @update_cells_int8(ptr noalias readonly %0, ptr noalias readonly %1, ptr noalias readonly %2, ptr noalias readonly %3, ptr noalias %4, ptr noalias writeonly %5, i64 %6, i64 %7, float %8) local_unnamed_addr #0 {
  tail call void @llvm.experimental.noalias.scope.decl(metadata !0)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !3)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !5)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !7)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !9)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !11)
  %.11040.not.i = icmp slt i64 %6, 1
  br i1 %.11040.not.i, label %update_cells.229.exit, label %B34.if.lr.ph.i

B34.if.lr.ph.i:                                   ; preds = %9
  %.148.i = shl i64 %7, 2
  %.10753.not.i.i = icmp slt i64 %7, 1
  %.189.i.i = shl nuw nsw i64 %7, 1
  %.213.i.i = mul nuw nsw i64 %7, 3
  %.628.i.i = fneg contract float %8
  br label %B34.if.i

B34.if.i:                                         ; preds = %_update_scaled_row.230.exit.i, %B34.if.lr.ph.i
  %.52.042.i = phi i64 [ 0, %B34.if.lr.ph.i ], [ %.123.i, %_update_scaled_row.230.exit.i ]
  %.55.041.i = phi i64 [ %6, %B34.if.lr.ph.i ], [ %.119.i, %_update_scaled_row.230.exit.i ]
  %.119.i = add nsw i64 %.55.041.i, -1
  %.123.i = add nuw nsw i64 %.52.042.i, 1
  %.150.i = mul i64 %.52.042.i, %.148.i
  %.152.i = getelementptr float, ptr %0, i64 %.150.i
  %.154.i = getelementptr i64, ptr %3, i64 %.52.042.i
  %.155.i = load i64, ptr %.154.i, align 8, !alias.scope !7, !noalias !13
  %.158.i = mul i64 %.155.i, %.148.i
  %.160.i = getelementptr i16, ptr %2, i64 %.158.i
  %.162.i = getelementptr float, ptr %1, i64 %.52.042.i
  %.163.i = load float, ptr %.162.i, align 4, !alias.scope !3, !noalias !15
  %.165.i = mul nsw i64 %.52.042.i, %7
  %.167.i = getelementptr float, ptr %4, i64 %.165.i
  %.171.i = getelementptr i16, ptr %5, i64 %.165.i
  tail call void @llvm.experimental.noalias.scope.decl(metadata !16)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !19)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !21)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !23)
  br i1 %.10753.not.i.i, label %_update_scaled_row.230.exit.i, label %B34.if.i.i

B34.if.i.i:                                       ; preds = %B34.if.i, %B34.if.i.i
  %.52.055.i.i = phi i64 [ %.116.i.i, %B34.if.i.i ], [ %7, %B34.if.i ]
  %.49.054.i.i = phi i64 [ %.120.i.i, %B34.if.i.i ], [ 0, %B34.if.i ]
  %.116.i.i = add nsw i64 %.52.055.i.i, -1
  %.120.i.i = add nuw nsw i64 %.49.054.i.i, 1
  %.150.i.i = getelementptr float, ptr %.152.i, i64 %.49.054.i.i
  %.151.i.i = load float, ptr %.150.i.i, align 4, !alias.scope !25, !noalias !26
  %.153.i.i = fmul contract float %.163.i, %.151.i.i
  %.156.i.i = getelementptr i16, ptr %.160.i, i64 %.49.054.i.i
  %.157.i.i = load i16, ptr %.156.i.i, align 2, !alias.scope !28, !noalias !29
  %.161.i.i = zext i16 %.157.i.i to i32
  %.162.i.i = shl nuw i32 %.161.i.i, 16
  %.164.i.i = bitcast i32 %.162.i.i to float
  %.165.i.i = fadd contract float %.153.i.i, %.164.i.i
  %.168.i.i = add nuw nsw i64 %.49.054.i.i, %7
  %.170.i.i = getelementptr float, ptr %.152.i, i64 %.168.i.i
  %.171.i.i = load float, ptr %.170.i.i, align 4, !alias.scope !25, !noalias !26
  %.173.i.i = fmul contract float %.163.i, %.171.i.i
  %.178.i.i = getelementptr i16, ptr %.160.i, i64 %.168.i.i
  %.179.i.i = load i16, ptr %.178.i.i, align 2, !alias.scope !28, !noalias !29
  %.183.i.i = zext i16 %.179.i.i to i32
  %.184.i.i = shl nuw i32 %.183.i.i, 16
  %.186.i.i = bitcast i32 %.184.i.i to float
  %.187.i.i = fadd contract float %.173.i.i, %.186.i.i
  %.191.i.i = add nuw nsw i64 %.49.054.i.i, %.189.i.i
  %.193.i.i = getelementptr float, ptr %.152.i, i64 %.191.i.i
  %.194.i.i = load float, ptr %.193.i.i, align 4, !alias.scope !25, !noalias !26
  %.196.i.i = fmul contract float %.163.i, %.194.i.i
  %.202.i.i = getelementptr i16, ptr %.160.i, i64 %.191.i.i
  %.203.i.i = load i16, ptr %.202.i.i, align 2, !alias.scope !28, !noalias !29
  %.207.i.i = zext i16 %.203.i.i to i32
  %.208.i.i = shl nuw i32 %.207.i.i, 16
  %.210.i.i = bitcast i32 %.208.i.i to float
  %.211.i.i = fadd contract float %.196.i.i, %.210.i.i
  %.215.i.i = add nuw nsw i64 %.49.054.i.i, %.213.i.i
  %.217.i.i = getelementptr float, ptr %.152.i, i64 %.215.i.i
  %.218.i.i = load float, ptr %.217.i.i, align 4, !alias.scope !25, !noalias !26
  %.220.i.i = fmul contract float %.163.i, %.218.i.i
  %.226.i.i = getelementptr i16, ptr %.160.i, i64 %.215.i.i
  %.227.i.i = load i16, ptr %.226.i.i, align 2, !alias.scope !28, !noalias !29
  %.231.i.i = zext i16 %.227.i.i to i32
  %.232.i.i = shl nuw i32 %.231.i.i, 16
  %.234.i.i = bitcast i32 %.232.i.i to float
  %.235.i.i = fadd contract float %.220.i.i, %.234.i.i
  %.241.i.i = getelementptr float, ptr %.167.i, i64 %.49.054.i.i
  %.242.i.i = load float, ptr %.241.i.i, align 4, !alias.scope !30, !noalias !31
  %.262.i.i = fcmp contract ogt float %.165.i.i, 2.800000e+01
  %.256.i.i = fneg contract float %.165.i.i
  %_next_cell_v231_exp_v232__exp_parts_v233__vphi74_0.2.1.i.i = select i1 %.262.i.i, float -2.800000e+01, float %.256.i.i
  %.285.i.i = fcmp contract ogt float %_next_cell_v231_exp_v232__exp_parts_v233__vphi74_0.2.1.i.i, 2.800000e+01
  %_next_cell_v231_exp_v232__exp_parts_v233__vphi146_0.2.1.i.i = select i1 %.285.i.i, float 2.800000e+01, float %_next_cell_v231_exp_v232__exp_parts_v233__vphi74_0.2.1.i.i
  %.304.i.i = fmul contract float %_next_cell_v231_exp_v232__exp_parts_v233__vphi146_0.2.1.i.i, 0x3FF7154760000000
  %.306.i.i = fadd contract float %.304.i.i, 0x4168000FE0000000
  %.308.i.i = fadd contract float %.306.i.i, 0xC168000FE0000000
  %.310.i.i = fmul contract float %.308.i.i, 0x3FE6300000000000
  %.311.i.i = fsub contract float %_next_cell_v231_exp_v232__exp_parts_v233__vphi146_0.2.1.i.i, %.310.i.i
  %.313.i.i = fmul contract float %.308.i.i, 0x3F2BD01060000000
  %10 = fadd contract float %.313.i.i, %.311.i.i
  %.316.i.i = fmul contract float %10, 0x3F2A0D2CE0000000
  %.318.i.i = fadd contract float %.316.i.i, 0x3F56E879C0000000
  %.319.i.i = fmul contract float %10, %.318.i.i
  %.321.i.i = fadd contract float %.319.i.i, 0x3F81112100000000
  %.322.i.i = fmul contract float %10, %.321.i.i
  %.324.i.i = fadd contract float %.322.i.i, 0x3FA5553820000000
  %.325.i.i = fmul contract float %10, %.324.i.i
  %.327.i.i = fadd contract float %.325.i.i, 0x3FC5555540000000
  %.328.i.i = fmul contract float %10, %.327.i.i
  %.330.i.i = fadd contract float %.328.i.i, 5.000000e-01
  %.331.i.i = fmul contract float %10, %10
  %.332.i.i = fmul contract float %.331.i.i, %.330.i.i
  %.333.i.i = fadd contract float %10, %.332.i.i
  %.334.i.i = bitcast float %.306.i.i to i32
  %.338.i.i = shl i32 %.334.i.i, 23
  %.340.i.i = bitcast i32 %.338.i.i to float
  %.362.i.i = fadd contract float %.333.i.i, 1.000000e+00
  %.363.i.i = fmul contract float %.362.i.i, %.340.i.i
  %.376.i.i = fcmp contract ogt float %.187.i.i, 2.800000e+01
  %.368.i.i = fneg contract float %.187.i.i
  %_next_cell_v231_exp_v234__exp_parts_v235__vphi74_0.2.1.i.i = select i1 %.376.i.i, float -2.800000e+01, float %.368.i.i
  %.399.i.i = fcmp contract ogt float %_next_cell_v231_exp_v234__exp_parts_v235__vphi74_0.2.1.i.i, 2.800000e+01
  %_next_cell_v231_exp_v234__exp_parts_v235__vphi146_0.2.1.i.i = select i1 %.399.i.i, float 2.800000e+01, float %_next_cell_v231_exp_v234__exp_parts_v235__vphi74_0.2.1.i.i
  %.418.i.i = fmul contract float %_next_cell_v231_exp_v234__exp_parts_v235__vphi146_0.2.1.i.i, 0x3FF7154760000000
  %.420.i.i = fadd contract float %.418.i.i, 0x4168000FE0000000
  %.422.i.i = fadd contract float %.420.i.i, 0xC168000FE0000000
  %.424.i.i = fmul contract float %.422.i.i, 0x3FE6300000000000
  %.425.i.i = fsub contract float %_next_cell_v231_exp_v234__exp_parts_v235__vphi146_0.2.1.i.i, %.424.i.i
  %.427.i.i = fmul contract float %.422.i.i, 0x3F2BD01060000000
  %11 = fadd contract float %.427.i.i, %.425.i.i
  %.430.i.i = fmul contract float %11, 0x3F2A0D2CE0000000
  %.432.i.i = fadd contract float %.430.i.i, 0x3F56E879C0000000
  %.433.i.i = fmul contract float %11, %.432.i.i
  %.435.i.i = fadd contract float %.433.i.i, 0x3F81112100000000
  %.436.i.i = fmul contract float %11, %.435.i.i
  %.438.i.i = fadd contract float %.436.i.i, 0x3FA5553820000000
  %.439.i.i = fmul contract float %11, %.438.i.i
  %.441.i.i = fadd contract float %.439.i.i, 0x3FC5555540000000
  %.442.i.i = fmul contract float %11, %.441.i.i
  %.444.i.i = fadd contract float %.442.i.i, 5.000000e-01
  %.445.i.i = fmul contract float %11, %11
  %.446.i.i = fmul contract float %.445.i.i, %.444.i.i
  %.447.i.i = fadd contract float %11, %.446.i.i
  %.448.i.i = bitcast float %.420.i.i to i32
  %.452.i.i = shl i32 %.448.i.i, 23
  %.454.i.i = bitcast i32 %.452.i.i to float
  %.476.i.i = fadd contract float %.447.i.i, 1.000000e+00
  %.477.i.i = fmul contract float %.476.i.i, %.454.i.i
  %.490.i.i = fcmp contract ogt float %.211.i.i, 2.800000e+01
  %.482.i.i = fneg contract float %.211.i.i
  %_next_cell_v231_exp_v236__exp_parts_v237__vphi74_0.2.1.i.i = select i1 %.490.i.i, float -2.800000e+01, float %.482.i.i
  %.513.i.i = fcmp contract ogt float %_next_cell_v231_exp_v236__exp_parts_v237__vphi74_0.2.1.i.i, 2.800000e+01
  %_next_cell_v231_exp_v236__exp_parts_v237__vphi146_0.2.1.i.i = select i1 %.513.i.i, float 2.800000e+01, float %_next_cell_v231_exp_v236__exp_parts_v237__vphi74_0.2.1.i.i
  %.532.i.i = fmul contract float %_next_cell_v231_exp_v236__exp_parts_v237__vphi146_0.2.1.i.i, 0x3FF7154760000000
  %.534.i.i = fadd contract float %.532.i.i, 0x4168000FE0000000
  %.536.i.i = fadd contract float %.534.i.i, 0xC168000FE0000000
  %.538.i.i = fmul contract float %.536.i.i, 0x3FE6300000000000
  %.539.i.i = fsub contract float %_next_cell_v231_exp_v236__exp_parts_v237__vphi146_0.2.1.i.i, %.538.i.i
  %.541.i.i = fmul contract float %.536.i.i, 0x3F2BD01060000000
  %12 = fadd contract float %.541.i.i, %.539.i.i
  %.544.i.i = fmul contract float %12, 0x3F2A0D2CE0000000
  %.546.i.i = fadd contract float %.544.i.i, 0x3F56E879C0000000
  %.547.i.i = fmul contract float %12, %.546.i.i
  %.549.i.i = fadd contract float %.547.i.i, 0x3F81112100000000
  %.550.i.i = fmul contract float %12, %.549.i.i
  %.552.i.i = fadd contract float %.550.i.i, 0x3FA5553820000000
  %.553.i.i = fmul contract float %12, %.552.i.i
  %.555.i.i = fadd contract float %.553.i.i, 0x3FC5555540000000
  %.556.i.i = fmul contract float %12, %.555.i.i
  %.558.i.i = fadd contract float %.556.i.i, 5.000000e-01
  %.559.i.i = fmul contract float %12, %12
  %.560.i.i = fmul contract float %.559.i.i, %.558.i.i
  %.561.i.i = fadd contract float %12, %.560.i.i
  %.562.i.i = bitcast float %.534.i.i to i32
  %.566.i.i = shl i32 %.562.i.i, 23
  %.568.i.i = bitcast i32 %.566.i.i to float
  %.590.i.i = fadd contract float %.561.i.i, 1.000000e+00
  %.591.i.i = fmul contract float %.590.i.i, %.568.i.i
  %.599.i.i = fadd contract float %.363.i.i, 1.000000e+00
  %.601.i.i = fadd contract float %.477.i.i, 1.000000e+00
  %.602.i.i = fmul contract float %.599.i.i, %.601.i.i
  %.604.i.i = fadd contract float %.591.i.i, 1.000000e+00
  %.606.i.i = fmul contract float %.242.i.i, %.602.i.i
  %.610.i.i = fsub contract float 1.000000e+00, %.477.i.i
  %.611.i.i = fmul contract float %.610.i.i, %.604.i.i
  %.612.i.i = fadd contract float %.606.i.i, %.611.i.i
  %.613.i.i = fmul contract float %.602.i.i, %.604.i.i
  %.617.i.i = fdiv contract float %.612.i.i, %.613.i.i
  %.630.i.i = fcmp contract olt float %.617.i.i, %.628.i.i
  %_next_cell_v231_clipped_v238__vphi26_0.2.1.i.i = select i1 %.630.i.i, float %.628.i.i, float %.617.i.i
  %.654.i.i = fcmp contract ogt float %_next_cell_v231_clipped_v238__vphi26_0.2.1.i.i, %8
  %_next_cell_v231_clipped_v238__vphi46_0.2.1.i.i = select i1 %.654.i.i, float %8, float %_next_cell_v231_clipped_v238__vphi26_0.2.1.i.i
  store float %_next_cell_v231_clipped_v238__vphi46_0.2.1.i.i, ptr %.241.i.i, align 4, !alias.scope !30, !noalias !31
  %.696.i.i = fcmp contract ogt float %.235.i.i, 2.800000e+01
  %.690.i.i = fneg contract float %.235.i.i
  %_cell_output_v239_exp_v240__exp_parts_v241__vphi74_0.2.1.i.i = select i1 %.696.i.i, float -2.800000e+01, float %.690.i.i
  %.719.i.i = fcmp contract ogt float %_cell_output_v239_exp_v240__exp_parts_v241__vphi74_0.2.1.i.i, 2.800000e+01
  %_cell_output_v239_exp_v240__exp_parts_v241__vphi146_0.2.1.i.i = select i1 %.719.i.i, float 2.800000e+01, float %_cell_output_v239_exp_v240__exp_parts_v241__vphi74_0.2.1.i.i
  %.738.i.i = fmul contract float %_cell_output_v239_exp_v240__exp_parts_v241__vphi146_0.2.1.i.i, 0x3FF7154760000000
  %.740.i.i = fadd contract float %.738.i.i, 0x4168000FE0000000
  %.742.i.i = fadd contract float %.740.i.i, 0xC168000FE0000000
  %.744.i.i = fmul contract float %.742.i.i, 0x3FE6300000000000
  %.745.i.i = fsub contract float %_cell_output_v239_exp_v240__exp_parts_v241__vphi146_0.2.1.i.i, %.744.i.i
  %.747.i.i = fmul contract float %.742.i.i, 0x3F2BD01060000000
  %13 = fadd contract float %.747.i.i, %.745.i.i
  %.750.i.i = fmul contract float %13, 0x3F2A0D2CE0000000
  %.752.i.i = fadd contract float %.750.i.i, 0x3F56E879C0000000
  %.753.i.i = fmul contract float %13, %.752.i.i
  %.755.i.i = fadd contract float %.753.i.i, 0x3F81112100000000
  %.756.i.i = fmul contract float %13, %.755.i.i
  %.758.i.i = fadd contract float %.756.i.i, 0x3FA5553820000000
  %.759.i.i = fmul contract float %13, %.758.i.i
  %.761.i.i = fadd contract float %.759.i.i, 0x3FC5555540000000
  %.762.i.i = fmul contract float %13, %.761.i.i
  %.764.i.i = fadd contract float %.762.i.i, 5.000000e-01
  %.765.i.i = fmul contract float %13, %13
  %.766.i.i = fmul contract float %.765.i.i, %.764.i.i
  %.767.i.i = fadd contract float %13, %.766.i.i
  %.768.i.i = bitcast float %.740.i.i to i32
  %.772.i.i = shl i32 %.768.i.i, 23
  %.774.i.i = bitcast i32 %.772.i.i to float
  %.796.i.i = fadd contract float %.767.i.i, 1.000000e+00
  %.797.i.i = fmul contract float %.796.i.i, %.774.i.i
  %.803.i.i = fmul contract float %_next_cell_v231_clipped_v238__vphi46_0.2.1.i.i, -2.000000e+00
  %.811.i.i = fcmp contract olt float %.803.i.i, -2.800000e+01
  %_cell_output_v239_exp_v242__exp_parts_v243__vphi74_0.2.1.i.i = select i1 %.811.i.i, float -2.800000e+01, float %.803.i.i
  %.834.i.i = fcmp contract ogt float %_cell_output_v239_exp_v242__exp_parts_v243__vphi74_0.2.1.i.i, 2.800000e+01
  %_cell_output_v239_exp_v242__exp_parts_v243__vphi146_0.2.1.i.i = select i1 %.834.i.i, float 2.800000e+01, float %_cell_output_v239_exp_v242__exp_parts_v243__vphi74_0.2.1.i.i
  %.853.i.i = fmul contract float %_cell_output_v239_exp_v242__exp_parts_v243__vphi146_0.2.1.i.i, 0x3FF7154760000000
  %.855.i.i = fadd contract float %.853.i.i, 0x4168000FE0000000
  %.857.i.i = fadd contract float %.855.i.i, 0xC168000FE0000000
  %.859.i.i = fmul contract float %.857.i.i, 0x3FE6300000000000
  %.860.i.i = fsub contract float %_cell_output_v239_exp_v242__exp_parts_v243__vphi146_0.2.1.i.i, %.859.i.i
  %.862.i.i = fmul contract float %.857.i.i, 0x3F2BD01060000000
  %14 = fadd contract float %.862.i.i, %.860.i.i
  %.865.i.i = fmul contract float %14, 0x3F2A0D2CE0000000
  %.867.i.i = fadd contract float %.865.i.i, 0x3F56E879C0000000
  %.868.i.i = fmul contract float %14, %.867.i.i
  %.870.i.i = fadd contract float %.868.i.i, 0x3F81112100000000
  %.871.i.i = fmul contract float %14, %.870.i.i
  %.873.i.i = fadd contract float %.871.i.i, 0x3FA5553820000000
  %.874.i.i = fmul contract float %14, %.873.i.i
  %.876.i.i = fadd contract float %.874.i.i, 0x3FC5555540000000
  %.877.i.i = fmul contract float %14, %.876.i.i
  %.879.i.i = fadd contract float %.877.i.i, 5.000000e-01
  %.880.i.i = fmul contract float %14, %14
  %.881.i.i = fmul contract float %.880.i.i, %.879.i.i
  %.882.i.i = fadd contract float %14, %.881.i.i
  %.883.i.i = bitcast float %.855.i.i to i32
  %.887.i.i = shl i32 %.883.i.i, 23
  %.889.i.i = bitcast i32 %.887.i.i to float
  %.911.i.i = fadd contract float %.882.i.i, 1.000000e+00
  %.912.i.i = fmul contract float %.911.i.i, %.889.i.i
  %.917.i.i = fsub contract float 1.000000e+00, %.912.i.i
  %.919.i.i = fadd contract float %.797.i.i, 1.000000e+00
  %.921.i.i = fadd contract float %.912.i.i, 1.000000e+00
  %.922.i.i = fmul contract float %.919.i.i, %.921.i.i
  %.926.i.i = fdiv contract float %.917.i.i, %.922.i.i
  %.928.i.i = fmul contract float %.926.i.i, 5.000000e-01
  %.935.i.i = bitcast float %.928.i.i to i32
  %.939.i.i = add i32 %.935.i.i, 32767
  %.943.i.i = lshr i32 %.935.i.i, 16
  %.946.i.i = and i32 %.943.i.i, 1
  %.947.i.i = add i32 %.939.i.i, %.946.i.i
  %.950.i.i = lshr i32 %.947.i.i, 16
  %.951.i.i = trunc nuw i32 %.950.i.i to i16
  %.952.i.i = getelementptr i16, ptr %.171.i, i64 %.49.054.i.i
  store i16 %.951.i.i, ptr %.952.i.i, align 2, !alias.scope !32, !noalias !33
  %.107.i.i = icmp sgt i64 %.52.055.i.i, 1
  br i1 %.107.i.i, label %B34.if.i.i, label %_update_scaled_row.230.exit.i

_update_scaled_row.230.exit.i: ; preds = %B34.if.i.i, %B34.if.i
  %.110.i = icmp sgt i64 %.55.041.i, 1
  br i1 %.110.i, label %B34.if.i, label %update_cells.229.exit

update_cells.229.exit: ; preds = %_update_scaled_row.230.exit.i, %9
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite)
declare void @llvm.experimental.noalias.scope.decl(metadata) #1

attributes #0 = { nofree norecurse nosync nounwind memory(argmem: readwrite, inaccessiblemem: readwrite) }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite) }

!0 = !{!1}
!1 = distinct !{!1, !2, !"update_cells.229: %arg.products"}
!2 = distinct !{!2, !"update_cells.229"}
!3 = !{!4}
!4 = distinct !{!4, !2, !"update_cells.229: %arg.scales"}
!5 = !{!6}
!6 = distinct !{!6, !2, !"update_cells.229: %arg.inputs"}
!7 = !{!8}
!8 = distinct !{!8, !2, !"update_cells.229: %arg.index"}
!9 = !{!10}
!10 = distinct !{!10, !2, !"update_cells.229: %arg.cells"}
!11 = !{!12}
!12 = distinct !{!12, !2, !"update_cells.229: %arg.hidden"}
!13 = !{!14, !1, !4, !6, !10, !12}
!14 = distinct !{!14, !2, !"update_cells.229: %retptr"}
!15 = !{!14, !1, !6, !8, !10, !12}
!16 = !{!17}
!17 = distinct !{!17, !18, !"_update_scaled_row.230: %arg.product"}
!18 = distinct !{!18, !"_update_scaled_row.230"}
!19 = !{!20}
!20 = distinct !{!20, !18, !"_update_scaled_row.230: %arg.given"}
!21 = !{!22}
!22 = distinct !{!22, !18, !"_update_scaled_row.230: %arg.cell"}
!23 = !{!24}
!24 = distinct !{!24, !18, !"_update_scaled_row.230: %arg.out"}
!25 = !{!17, !1}
!26 = !{!27, !20, !22, !24, !14, !4, !6, !8, !10, !12}
!27 = distinct !{!27, !18, !"_update_scaled_row.230: %retptr"}
!28 = !{!20, !6}
!29 = !{!27, !17, !22, !24, !14, !1, !4, !8, !10, !12}
!30 = !{!22, !10}
!31 = !{!27, !17, !20, !24, !14, !1, !4, !6, !8, !12}
!32 = !{!24, !12}
!33 = !{!27, !17, !20, !22, !14, !1, !4, !6, !8, !10}

; loop: quantize_rows
; ModuleID = '<string>'
source_filename = "<string>"

; Function Attrs: nofree norecurse nosync nounwind memory(argmem: readwrite, inaccessiblemem: readwrite)
define void @quantize_rows(ptr noalias readonly %0, ptr noalias writeonly %1, ptr noalias writeonly %2, i64 %3, i64 %4) local_unnamed_addr #0 {
  tail call void @llvm.experimental.noalias.scope.decl(metadata !0)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !3)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !5)
  %.9838.not.i = icmp slt i64 %3, 1
  br i1 %.9838.not.i, label %quantize_rows.262.exit, label %B34.if.lr.ph.i

B34.if.lr.ph.i:                                   ; preds = %5
  %storemerge.i.i = tail call i64 @llvm.smax.i64(i64 %4, i64 0)
  %.9986.not.i.i = icmp slt i64 %4, 1
  br label %B34.if.i

B34.if.i:                                         ; preds = %_quantize_row.263.exit.i, %B34.if.lr.ph.i
  %.40.040.i = phi i64 [ 0, %B34.if.lr.ph.i ], [ %.111.i, %_quantize_row.263.exit.i ]
  %.43.039.i = phi i64 [ %3, %B34.if.lr.ph.i ], [ %.107.i, %_quantize_row.263.exit.i ]
  %.107.i = add nsw i64 %.43.039.i, -1
  %.111.i = add nuw nsw i64 %.40.040.i, 1
  %.138.i = mul nsw i64 %.40.040.i, %4
  %.140.i = getelementptr float, ptr %0, i64 %.138.i
  %.144.i = getelementptr i8, ptr %1, i64 %.138.i
  tail call void @llvm.experimental.noalias.scope.decl(metadata !7)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !10)
  br i1 %.9986.not.i.i, label %B190.i.i, label %B64.if.i.i

B190.loopexit.i.i:                                ; preds = %B64.if.i.i
  %6 = bitcast i32 %.largest.2.0.i.i to float
  br label %B190.i.i

B190.i.i:                                         ; preds = %B190.loopexit.i.i, %B34.if.i
  %largest.2.0.lcssa.i.i = phi float [ 0.000000e+00, %B34.if.i ], [ %6, %B190.loopexit.i.i ]
  %.189.i.i = fcmp contract ogt float %largest.2.0.lcssa.i.i, 0x39B4484C00000000
  %.181..i.i = select i1 %.189.i.i, float %largest.2.0.lcssa.i.i, float 0x39B4484C00000000
  %.209.i.i = fdiv contract float %.181..i.i, 1.270000e+02
  br i1 %.9986.not.i.i, label %_quantize_row.263.exit.i, label %B354.if.i.i

B64.if.i.i:                                       ; preds = %B34.if.i, %B64.if.i.i
  %largest.2.089.i.i = phi i32 [ %.largest.2.0.i.i, %B64.if.i.i ], [ 0, %B34.if.i ]
  %.44.088.i.i = phi i64 [ %.108.i.i, %B64.if.i.i ], [ %storemerge.i.i, %B34.if.i ]
  %.41.087.i.i = phi i64 [ %.112.i.i, %B64.if.i.i ], [ 0, %B34.if.i ]
  %.108.i.i = add nsw i64 %.44.088.i.i, -1
  %.112.i.i = add nuw nsw i64 %.41.087.i.i, 1
  %.138.i.i = getelementptr float, ptr %.140.i, i64 %.41.087.i.i
  %.13985.i.i = load i32, ptr %.138.i.i, align 4, !alias.scope !12, !noalias !13
  %7 = and i32 %.13985.i.i, 2147483647
  %.largest.2.0.i.i = tail call i32 @llvm.umax.i32(i32 %7, i32 %largest.2.089.i.i)
  %.99.i.i = icmp sgt i64 %.44.088.i.i, 1
  br i1 %.99.i.i, label %B64.if.i.i, label %B190.loopexit.i.i

B354.if.i.i:                                      ; preds = %B190.i.i, %B354.if.i.i
  %.244.092.i.i = phi i64 [ %.306.i.i, %B354.if.i.i ], [ %storemerge.i.i, %B190.i.i ]
  %.241.091.i.i = phi i64 [ %.310.i.i, %B354.if.i.i ], [ 0, %B190.i.i ]
  %.306.i.i = add nsw i64 %.244.092.i.i, -1
  %.310.i.i = add nuw nsw i64 %.241.091.i.i, 1
  %.336.i.i = getelementptr float, ptr %.140.i, i64 %.241.091.i.i
  %.337.i.i = load float, ptr %.336.i.i, align 4, !alias.scope !12, !noalias !13
  %.342.i.i = fdiv contract float %.337.i.i, %.209.i.i
  %.344.i.i = fadd contract float %.342.i.i, 1.285000e+02
  %.345.i.i = fptosi float %.344.i.i to i32
  %.346.i.i = trunc i32 %.345.i.i to i8
  %.348.i.i = getelementptr i8, ptr %.144.i, i64 %.241.091.i.i
  store i8 %.346.i.i, ptr %.348.i.i, align 1, !alias.scope !16, !noalias !17
  %.297.i.i = icmp sgt i64 %.244.092.i.i, 1
  br i1 %.297.i.i, label %B354.if.i.i, label %_quantize_row.263.exit.i

_quantize_row.263.exit.i: ; preds = %B354.if.i.i, %B190.i.i
  %.171.i = getelementptr float, ptr %2, i64 %.40.040.i
  store float %.209.i.i, ptr %.171.i, align 4, !alias.scope !5, !noalias !18
  %.98.i = icmp sgt i64 %.43.039.i, 1
  br i1 %.98.i, label %B34.if.i, label %quantize_rows.262.exit

quantize_rows.262.exit: ; preds = %_quantize_row.263.exit.i, %5
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.smax.i64(i64, i64) #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.umax.i32(i32, i32) #1

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite)
declare void @llvm.experimental.noalias.scope.decl(metadata) #2

attributes #0 = { nofree norecurse nosync nounwind memory(argmem: readwrite, inaccessiblemem: readwrite) }
attributes #1 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite) }

!0 = !{!1}
!1 = distinct !{!1, !2, !"quantize_rows.262: %arg.x"}
!2 = distinct !{!2, !"quantize_rows.262"}
!3 = !{!4}
!4 = distinct !{!4, !2, !"quantize_rows.262: %arg.integers"}
!5 = !{!6}
!6 = distinct !{!6, !2, !"quantize_rows.262: %arg.scales"}
!7 = !{!8}
!8 = distinct !{!8, !9, !"_quantize_row.263: %arg.values"}
!9 = distinct !{!9, !"_quantize_row.263"}
!10 = !{!11}
!11 = distinct !{!11, !9, !"_quantize_row.263: %arg.integers"}
!12 = !{!8, !1}
!13 = !{!14, !11, !15, !4, !6}
!14 = distinct !{!14, !9, !"_quantize_row.263: %retptr"}
!15 = distinct !{!15, !2, !"quantize_rows.262: %retptr"}
!16 = !{!11, !4}
!17 = !{!14, !8, !15, !1, !6}
!18 = !{!15, !1, !4}

; loop: filter_words
; ModuleID = '<string>'
source_filename = "<string>"

; Function Attrs: nofree norecurse nosync nounwind memory(argmem: readwrite, inaccessiblemem: readwrite)
define void @filter_words(ptr noalias readonly %0, ptr noalias readonly %1, ptr noalias readonly %2, ptr noalias readonly %3, ptr noalias %4, ptr noalias %5, i64 %6, i64 %7, i64 %8, i64 %9, i64 %10, i64 %11) local_unnamed_addr #0 {
  tail call void @llvm.experimental.noalias.scope.decl(metadata !0)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !3)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !5)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !7)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !9)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !11)
  %.119150.not.i = icmp slt i64 %6, 1
  br i1 %.119150.not.i, label %filter_words.264.exit, label %B34.if.lr.ph.i

B34.if.lr.ph.i:                                   ; preds = %12
  %storemerge132.i = tail call i64 @llvm.smax.i64(i64 %11, i64 0)
  %.251147.not.i = icmp slt i64 %11, 1
  %.371.i = add i64 %8, -1
  %storemerge133.i = tail call i64 @llvm.smax.i64(i64 %.371.i, i64 0)
  %.414144.not.i = icmp slt i64 %.371.i, 1
  %.9234.not.i134.i = icmp slt i64 %10, 1
  %13 = shl nuw i64 %10, 2
  br label %B34.if.i

B34.loopexit.i:                                   ; preds = %B545.i, %B34.if.i
  %.119.i = icmp sgt i64 %.64.0151.i, 1
  br i1 %.119.i, label %B34.if.i, label %filter_words.264.exit

B298.i:                                           ; preds = %B276.if.i
  %.463.i = mul nsw i64 %.358.0145.i, %9
  %.468.i = getelementptr i64, ptr %.164.i, i64 %.457.i
  %.469.i = load i64, ptr %.468.i, align 8, !alias.scope !0, !noalias !13
  %.470.i = add nsw i64 %.469.i, %.463.i
  %.472.i = mul nsw i64 %.470.i, %10
  %.475.i = getelementptr i64, ptr %2, i64 %.358.0145.i
  %.476.i = load i64, ptr %.475.i, align 8, !alias.scope !5, !noalias !15
  %14 = getelementptr float, ptr %1, i64 %.472.i
  %.482.i = getelementptr float, ptr %14, i64 %.476.i
  %.484.i = getelementptr float, ptr %5, i64 %.476.i
  %.486.i = sub nsw i64 %.295.i, %.476.i
  tail call void @llvm.experimental.noalias.scope.decl(metadata !16)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !19)
  %.9234.not.i.i = icmp slt i64 %.486.i, 1
  br i1 %.9234.not.i.i, label %B456.i, label %B34.if.i.i

B34.if.i.i:                                       ; preds = %B298.i, %B34.if.i.i
  %.37.036.i.i = phi i64 [ %.101.i.i, %B34.if.i.i ], [ %.486.i, %B298.i ]
  %.34.035.i.i = phi i64 [ %.105.i.i, %B34.if.i.i ], [ 0, %B298.i ]
  %.101.i.i = add nsw i64 %.37.036.i.i, -1
  %.105.i.i = add nuw nsw i64 %.34.035.i.i, 1
  %.131.i.i = getelementptr float, ptr %.484.i, i64 %.34.035.i.i
  %.132.i.i = load float, ptr %.131.i.i, align 4, !alias.scope !21, !noalias !22
  %.134.i.i = getelementptr float, ptr %.482.i, i64 %.34.035.i.i
  %.135.i.i = load float, ptr %.134.i.i, align 4, !alias.scope !24, !noalias !25
  %.136.i.i = fadd contract float %.132.i.i, %.135.i.i
  store float %.136.i.i, ptr %.131.i.i, align 4, !alias.scope !21, !noalias !22
  %.92.i.i = icmp sgt i64 %.37.036.i.i, 1
  br i1 %.92.i.i, label %B34.if.i.i, label %B456.i

B456.i:                                           ; preds = %B34.if.i.i, %B276.if.i, %B298.i
  %.414.i = icmp sgt i64 %.361.0146.i, 1
  br i1 %.414.i, label %B276.if.i, label %B458.i

B458.i:                                           ; preds = %B456.i, %_copy.3.exit143.i
  %.520.i = icmp eq i64 %.195.0149.i, 0
  br i1 %.520.i, label %B470.i, label %B506.i

B470.i:                                           ; preds = %B458.i
  br i1 %.9234.not.i134.i, label %B545.i, label %B34.if.preheader.i.i

B34.if.preheader.i.i:                             ; preds = %B470.i
  tail call void @llvm.memcpy.p0.p0.i64(ptr align 4 %.160.i, ptr readonly align 4 %5, i64 %13, i1 false), !alias.scope !26, !noalias !30
  br label %B545.i

B506.i:                                           ; preds = %B458.i
  tail call void @llvm.experimental.noalias.scope.decl(metadata !32)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !35)
  br i1 %.9234.not.i141.i, label %B545.i, label %B34.if.i135.i

B34.if.i135.i:                                    ; preds = %B506.i, %B34.if.i135.i
  %.37.042.i.i = phi i64 [ %.101.i136.i, %B34.if.i135.i ], [ %.295.i, %B506.i ]
  %.34.041.i.i = phi i64 [ %.105.i137.i, %B34.if.i135.i ], [ 0, %B506.i ]
  %.101.i136.i = add nsw i64 %.37.042.i.i, -1
  %.105.i137.i = add nuw nsw i64 %.34.041.i.i, 1
  %.135.i138.i = getelementptr float, ptr %.160.i, i64 %.34.041.i.i
  %.136.i139.i = load float, ptr %.135.i138.i, align 4, !alias.scope !37, !noalias !38
  %.139.i.i = getelementptr float, ptr %5, i64 %.34.041.i.i
  %.140.i.i = load float, ptr %.139.i.i, align 4, !alias.scope !40, !noalias !41
  %.141.i.i = fcmp contract olt float %.136.i139.i, %.140.i.i
  %.140..136.i.i = select i1 %.141.i.i, float %.140.i.i, float %.136.i139.i
  store float %.140..136.i.i, ptr %.135.i138.i, align 4, !alias.scope !37, !noalias !38
  %.92.i140.i = icmp sgt i64 %.37.042.i.i, 1
  br i1 %.92.i140.i, label %B34.if.i135.i, label %B545.i

B545.i:                                           ; preds = %B34.if.i135.i, %B506.i, %B34.if.preheader.i.i, %B470.i
  %.251.i = icmp sgt i64 %.198.0148.i, 1
  br i1 %.251.i, label %B144.if.i, label %B34.loopexit.i

B34.if.i:                                         ; preds = %B34.loopexit.i, %B34.if.lr.ph.i
  %.61.0152.i = phi i64 [ 0, %B34.if.lr.ph.i ], [ %.132.i, %B34.loopexit.i ]
  %.64.0151.i = phi i64 [ %6, %B34.if.lr.ph.i ], [ %.128.i, %B34.loopexit.i ]
  %.128.i = add nsw i64 %.64.0151.i, -1
  %.132.i = add nuw nsw i64 %.61.0152.i, 1
  %.158.i = mul nsw i64 %.61.0152.i, %10
  %.160.i = getelementptr float, ptr %4, i64 %.158.i
  %.162.i = mul nsw i64 %.61.0152.i, %7
  %.164.i = getelementptr i64, ptr %0, i64 %.162.i
  br i1 %.251147.not.i, label %B34.loopexit.i, label %B144.if.i

B144.if.i:                                        ; preds = %B34.if.i, %B545.i
  %.195.0149.i = phi i64 [ %.264.i, %B545.i ], [ 0, %B34.if.i ]
  %.198.0148.i = phi i64 [ %.260.i, %B545.i ], [ %storemerge132.i, %B34.if.i ]
  %.260.i = add nsw i64 %.198.0148.i, -1
  %.264.i = add nuw nsw i64 %.195.0149.i, 1
  %.294.i = getelementptr i64, ptr %3, i64 %.195.0149.i
  %.295.i = load i64, ptr %.294.i, align 8, !alias.scope !7, !noalias !42
  %.9234.not.i141.i = icmp slt i64 %.295.i, 1
  br i1 %.9234.not.i141.i, label %_copy.3.exit143.i, label %B34.if.preheader.i142.i

B34.if.preheader.i142.i:                          ; preds = %B144.if.i
  %.302.i = getelementptr i64, ptr %.164.i, i64 %.195.0149.i
  %.303.i = load i64, ptr %.302.i, align 8, !alias.scope !0, !noalias !13
  %.305.i = mul nsw i64 %.303.i, %10
  %.307.i = getelementptr float, ptr %1, i64 %.305.i
  %15 = shl nuw i64 %.295.i, 2
  tail call void @llvm.memcpy.p0.p0.i64(ptr align 4 %5, ptr readonly align 4 %.307.i, i64 %15, i1 false), !alias.scope !43, !noalias !47
  br label %_copy.3.exit143.i

_copy.3.exit143.i: ; preds = %B34.if.preheader.i142.i, %B144.if.i
  br i1 %.414144.not.i, label %B458.i, label %B276.if.i

B276.if.i:                                        ; preds = %_copy.3.exit143.i, %B456.i
  %.361.0146.i = phi i64 [ %.423.i, %B456.i ], [ %storemerge133.i, %_copy.3.exit143.i ]
  %.358.0145.i = phi i64 [ %.427.i, %B456.i ], [ 1, %_copy.3.exit143.i ]
  %.423.i = add nsw i64 %.361.0146.i, -1
  %.427.i = add nuw i64 %.358.0145.i, 1
  %.457.i = add nuw nsw i64 %.358.0145.i, %.195.0149.i
  %.459.i = icmp slt i64 %.457.i, %7
  br i1 %.459.i, label %B298.i, label %B456.i

filter_words.264.exit: ; preds = %B34.loopexit.i, %12
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.smax.i64(i64, i64) #1

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: readwrite)
declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly, ptr noalias readonly, i64, i1 immarg) #2

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite)
declare void @llvm.experimental.noalias.scope.decl(metadata) #3

attributes #0 = { nofree norecurse nosync nounwind memory(argmem: readwrite, inaccessiblemem: readwrite) }
attributes #1 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { nocallback nofree nounwind willreturn memory(argmem: readwrite) }
attributes #3 = { nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite) }

!0 = !{!1}
!1 = distinct !{!1, !2, !"filter_words.264: %arg.ids"}
!2 = distinct !{!2, !"filter_words.264"}
!3 = !{!4}
!4 = distinct !{!4, !2, !"filter_words.264: %arg.tables"}
!5 = !{!6}
!6 = distinct !{!6, !2, !"filter_words.264: %arg.firsts"}
!7 = !{!8}
!8 = distinct !{!8, !2, !"filter_words.264: %arg.lasts"}
!9 = !{!10}
!10 = distinct !{!10, !2, !"filter_words.264: %arg.out"}
!11 = !{!12}
!12 = distinct !{!12, !2, !"filter_words.264: %arg.sums"}
!13 = !{!14, !4, !6, !8, !10, !12}
!14 = distinct !{!14, !2, !"filter_words.264: %retptr"}
!15 = !{!14, !1, !4, !8, !10, !12}
!16 = !{!17}
!17 = distinct !{!17, !18, !"_add.265: %arg.source"}
!18 = distinct !{!18, !"_add.265"}
!19 = !{!20}
!20 = distinct !{!20, !18, !"_add.265: %arg.target"}
!21 = !{!20, !12}
!22 = !{!23, !17, !14, !1, !4, !6, !8, !10}
!23 = distinct !{!23, !18, !"_add.265: %retptr"}
!24 = !{!17, !4}
!25 = !{!23, !20, !14, !1, !6, !8, !10, !12}
!26 = !{!27, !29, !10, !12}
!27 = distinct !{!27, !28, !"_copy.3: %arg.source"}
!28 = distinct !{!28, !"_copy.3"}
!29 = distinct !{!29, !28, !"_copy.3: %arg.target"}
!30 = !{!31, !14, !1, !4, !6, !8}
!31 = distinct !{!31, !28, !"_copy.3: %retptr"}
!32 = !{!33}
!33 = distinct !{!33, !34, !"_raise_to.266: %arg.source"}
!34 = distinct !{!34, !"_raise_to.266"}
!35 = !{!36}
!36 = distinct !{!36, !34, !"_raise_to.266: %arg.target"}
!37 = !{!36, !10}
!38 = !{!39, !33, !14, !1, !4, !6, !8, !12}
!39 = distinct !{!39, !34, !"_raise_to.266: %retptr"}
!40 = !{!33, !12}
!41 = !{!39, !36, !14, !1, !4, !6, !8, !10}
!42 = !{!14, !1, !4, !6, !10, !12}
!43 = !{!44, !46, !4, !12}
!44 = distinct !{!44, !45, !"_copy.3: %arg.source"}
!45 = distinct !{!45, !"_copy.3"}
!46 = distinct !{!46, !45, !"_copy.3: %arg.target"}
!47 = !{!48, !14, !1, !6, !8, !10}
!48 = distinct !{!48, !45, !"_copy.3: %retptr"}

; loop: cell_forward
; ModuleID = '<string>'
source_filename = "<string>"

; Function Attrs: nofree norecurse nosync nounwind memory(argmem: readwrite, inaccessiblemem: readwrite)
define void @cell_forward(ptr noalias readonly %0, ptr noalias readonly %1, ptr noalias readonly %2, ptr noalias %3, ptr noalias %4, ptr noalias %5, ptr noalias writeonly %6, i64 %7, i64 %8, float %9) local_unnamed_addr #0 {
  tail call void @llvm.experimental.noalias.scope.decl(metadata !0)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !3)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !5)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !7)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !9)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !11)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !13)
  %.114167.not.i = icmp slt i64 %7, 1
  br i1 %.114167.not.i, label %cell_forward.267.exit, label %B36.if.lr.ph.i

B36.if.lr.ph.i:                                   ; preds = %10
  %.9237.not.i.i = icmp slt i64 %8, 1
  %.222.i = shl nsw i64 %8, 1
  %.151.idx.i.i = shl i64 %8, 3
  %.180.i.i = fneg contract float %9
  %.320.idx.i = mul i64 %8, 12
  br label %B36.if.i

B36.if.i:                                         ; preds = %_multiply_elements.278.exit.i, %B36.if.lr.ph.i
  %.55.0169.i = phi i64 [ 0, %B36.if.lr.ph.i ], [ %.127.i, %_multiply_elements.278.exit.i ]
  %.58.0168.i = phi i64 [ %7, %B36.if.lr.ph.i ], [ %.123.i, %_multiply_elements.278.exit.i ]
  %.123.i = add nsw i64 %.58.0168.i, -1
  %.127.i = add nuw nsw i64 %.55.0169.i, 1
  %.152.i = shl nsw i64 %.55.0169.i, 2
  %.154.i = mul nsw i64 %.152.i, %8
  %.156.i = getelementptr float, ptr %0, i64 %.154.i
  %.161.i = getelementptr float, ptr %3, i64 %.154.i
  %.163.i = mul nsw i64 %.55.0169.i, %8
  tail call void @llvm.experimental.noalias.scope.decl(metadata !15)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !18)
  br i1 %.9237.not.i.i, label %_tanh_row.272.exit.critedge.i, label %B34.if.i.i

B34.if.i.i:                                       ; preds = %B36.if.i, %B34.if.i.i
  %.37.039.i.i = phi i64 [ %.101.i.i, %B34.if.i.i ], [ %8, %B36.if.i ]
  %.34.038.i.i = phi i64 [ %.105.i.i, %B34.if.i.i ], [ 0, %B36.if.i ]
  %.101.i.i = add nsw i64 %.37.039.i.i, -1
  %.105.i.i = add nuw nsw i64 %.34.038.i.i, 1
  %.136.i.i = getelementptr float, ptr %.156.i, i64 %.34.038.i.i
  %.137.i.i = load float, ptr %.136.i.i, align 4, !alias.scope !20, !noalias !21
  %.154.i.i = fcmp contract ogt float %.137.i.i, 2.800000e+01
  %.147.i.i = fneg contract float %.137.i.i
  %_sigmoid_v269_exp_v270__exp_parts_v271__vphi74_0.2.1.i.i = select i1 %.154.i.i, float -2.800000e+01, float %.147.i.i
  %.177.i.i = fcmp contract ogt float %_sigmoid_v269_exp_v270__exp_parts_v271__vphi74_0.2.1.i.i, 2.800000e+01
  %_sigmoid_v269_exp_v270__exp_parts_v271__vphi146_0.2.1.i.i = select i1 %.177.i.i, float 2.800000e+01, float %_sigmoid_v269_exp_v270__exp_parts_v271__vphi74_0.2.1.i.i
  %.196.i.i = fmul contract float %_sigmoid_v269_exp_v270__exp_parts_v271__vphi146_0.2.1.i.i, 0x3FF7154760000000
  %.198.i.i = fadd contract float %.196.i.i, 0x4168000FE0000000
  %.200.i.i = fadd contract float %.198.i.i, 0xC168000FE0000000
  %.202.i.i = fmul contract float %.200.i.i, 0x3FE6300000000000
  %.203.i.i = fsub contract float %_sigmoid_v269_exp_v270__exp_parts_v271__vphi146_0.2.1.i.i, %.202.i.i
  %.205.i.i = fmul contract float %.200.i.i, 0x3F2BD01060000000
  %11 = fadd contract float %.205.i.i, %.203.i.i
  %.208.i.i = fmul contract float %11, 0x3F2A0D2CE0000000
  %.210.i.i = fadd contract float %.208.i.i, 0x3F56E879C0000000
  %.211.i.i = fmul contract float %11, %.210.i.i
  %.213.i.i = fadd contract float %.211.i.i, 0x3F81112100000000
  %.214.i.i = fmul contract float %11, %.213.i.i
  %.216.i.i = fadd contract float %.214.i.i, 0x3FA5553820000000
  %.217.i.i = fmul contract float %11, %.216.i.i
  %.219.i.i = fadd contract float %.217.i.i, 0x3FC5555540000000
  %.220.i.i = fmul contract float %11, %.219.i.i
  %.222.i.i = fadd contract float %.220.i.i, 5.000000e-01
  %.223.i.i = fmul contract float %11, %11
  %.224.i.i = fmul contract float %.223.i.i, %.222.i.i
  %.225.i.i = fadd contract float %11, %.224.i.i
  %.226.i.i = bitcast float %.198.i.i to i32
  %.230.i.i = shl i32 %.226.i.i, 23
  %.232.i.i = bitcast i32 %.230.i.i to float
  %.254.i.i = fadd contract float %.225.i.i, 1.000000e+00
  %.255.i.i = fmul contract float %.254.i.i, %.232.i.i
  %.257.i.i = fadd contract float %.255.i.i, 1.000000e+00
  %.264.i.i = fdiv contract float 1.000000e+00, %.257.i.i
  %.269.i.i = getelementptr float, ptr %.161.i, i64 %.34.038.i.i
  store float %.264.i.i, ptr %.269.i.i, align 4, !alias.scope !24, !noalias !25
  %.92.i.i = icmp sgt i64 %.37.039.i.i, 1
  br i1 %.92.i.i, label %B34.if.i.i, label %_sigmoid_row.268.exit.i

_sigmoid_row.268.exit.i: ; preds = %B34.if.i.i
  %.192.i = getelementptr float, ptr %.156.i, i64 %8
  %.194.i = getelementptr float, ptr %.161.i, i64 %8
  tail call void @llvm.experimental.noalias.scope.decl(metadata !26)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !29)
  br label %B34.if.i55.i

B34.if.i55.i:                                     ; preds = %B34.if.i55.i, %_sigmoid_row.268.exit.i
  %.37.039.i56.i = phi i64 [ %.101.i58.i, %B34.if.i55.i ], [ %8, %_sigmoid_row.268.exit.i ]
  %.34.038.i57.i = phi i64 [ %.105.i59.i, %B34.if.i55.i ], [ 0, %_sigmoid_row.268.exit.i ]
  %.101.i58.i = add nsw i64 %.37.039.i56.i, -1
  %.105.i59.i = add nuw nsw i64 %.34.038.i57.i, 1
  %.136.i60.i = getelementptr float, ptr %.192.i, i64 %.34.038.i57.i
  %.137.i61.i = load float, ptr %.136.i60.i, align 4, !alias.scope !31, !noalias !32
  %.140.i.i = fmul contract float %.137.i61.i, -2.000000e+00
  %.147.i62.i = fcmp contract olt float %.140.i.i, -2.800000e+01
  %..140.i.i = select i1 %.147.i62.i, float -2.800000e+01, float %.140.i.i
  %.170.i.i = fcmp contract ogt float %..140.i.i, 2.800000e+01
  %_tanh_v273_exp_minus_one_v274__exp_parts_v275__vphi146_0.2.1.i.i = select i1 %.170.i.i, float 2.800000e+01, float %..140.i.i
  %.189.i.i = fmul contract float %_tanh_v273_exp_minus_one_v274__exp_parts_v275__vphi146_0.2.1.i.i, 0x3FF7154760000000
  %.191.i.i = fadd contract float %.189.i.i, 0x4168000FE0000000
  %.193.i.i = fadd contract float %.191.i.i, 0xC168000FE0000000
  %.195.i.i = fmul contract float %.193.i.i, 0x3FE6300000000000
  %.196.i63.i = fsub contract float %_tanh_v273_exp_minus_one_v274__exp_parts_v275__vphi146_0.2.1.i.i, %.195.i.i
  %.198.i64.i = fmul contract float %.193.i.i, 0x3F2BD01060000000
  %12 = fadd contract float %.198.i64.i, %.196.i63.i
  %.201.i.i = fmul contract float %12, 0x3F2A0D2CE0000000
  %.203.i65.i = fadd contract float %.201.i.i, 0x3F56E879C0000000
  %.204.i.i = fmul contract float %12, %.203.i65.i
  %.206.i.i = fadd contract float %.204.i.i, 0x3F81112100000000
  %.207.i.i = fmul contract float %12, %.206.i.i
  %.209.i.i = fadd contract float %.207.i.i, 0x3FA5553820000000
  %.210.i66.i = fmul contract float %12, %.209.i.i
  %.212.i.i = fadd contract float %.210.i66.i, 0x3FC5555540000000
  %.213.i67.i = fmul contract float %12, %.212.i.i
  %.215.i.i = fadd contract float %.213.i67.i, 5.000000e-01
  %.216.i68.i = fmul contract float %12, %12
  %.217.i69.i = fmul contract float %.216.i68.i, %.215.i.i
  %.218.i.i = fadd contract float %12, %.217.i69.i
  %.219.i70.i = bitcast float %.191.i.i to i32
  %.223.i71.i = shl i32 %.219.i70.i, 23
  %.225.i72.i = bitcast i32 %.223.i71.i to float
  %.246.i.i = fmul contract float %.218.i.i, %.225.i72.i
  %.248.i.i = fadd contract float %.225.i72.i, -1.000000e+00
  %.249.i.i = fadd contract float %.248.i.i, %.246.i.i
  %.250.i.i = fneg contract float %.249.i.i
  %.252.i.i = fadd contract float %.249.i.i, 2.000000e+00
  %.256.i.i = fdiv contract float %.250.i.i, %.252.i.i
  %.259.i.i = getelementptr float, ptr %.194.i, i64 %.34.038.i57.i
  store float %.256.i.i, ptr %.259.i.i, align 4, !alias.scope !34, !noalias !35
  %.92.i73.i = icmp sgt i64 %.37.039.i56.i, 1
  br i1 %.92.i73.i, label %B34.if.i55.i, label %_tanh_row.272.exit.i

_tanh_row.272.exit.critedge.i: ; preds = %B36.if.i
  tail call void @llvm.experimental.noalias.scope.decl(metadata !26)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !29)
  br label %_tanh_row.272.exit.i

_tanh_row.272.exit.i: ; preds = %B34.if.i55.i, %_tanh_row.272.exit.critedge.i
  %.223.i = getelementptr float, ptr %.156.i, i64 %.222.i
  %.226.i = getelementptr float, ptr %.161.i, i64 %.222.i
  tail call void @llvm.experimental.noalias.scope.decl(metadata !36)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !39)
  br i1 %.9237.not.i.i, label %_multiply_elements.278.exit.critedge.critedge.i.critedge, label %B34.if.i75.i

B34.if.i75.i:                                     ; preds = %_tanh_row.272.exit.i, %B34.if.i75.i
  %.37.039.i76.i = phi i64 [ %.101.i78.i, %B34.if.i75.i ], [ %.222.i, %_tanh_row.272.exit.i ]
  %.34.038.i77.i = phi i64 [ %.105.i79.i, %B34.if.i75.i ], [ 0, %_tanh_row.272.exit.i ]
  %.101.i78.i = add nsw i64 %.37.039.i76.i, -1
  %.105.i79.i = add nuw nsw i64 %.34.038.i77.i, 1
  %.136.i80.i = getelementptr float, ptr %.223.i, i64 %.34.038.i77.i
  %.137.i81.i = load float, ptr %.136.i80.i, align 4, !alias.scope !41, !noalias !42
  %.154.i82.i = fcmp contract ogt float %.137.i81.i, 2.800000e+01
  %.147.i83.i = fneg contract float %.137.i81.i
  %_sigmoid_v269_exp_v270__exp_parts_v271__vphi74_0.2.1.i84.i = select i1 %.154.i82.i, float -2.800000e+01, float %.147.i83.i
  %.177.i85.i = fcmp contract ogt float %_sigmoid_v269_exp_v270__exp_parts_v271__vphi74_0.2.1.i84.i, 2.800000e+01
  %_sigmoid_v269_exp_v270__exp_parts_v271__vphi146_0.2.1.i86.i = select i1 %.177.i85.i, float 2.800000e+01, float %_sigmoid_v269_exp_v270__exp_parts_v271__vphi74_0.2.1.i84.i
  %.196.i87.i = fmul contract float %_sigmoid_v269_exp_v270__exp_parts_v271__vphi146_0.2.1.i86.i, 0x3FF7154760000000
  %.198.i88.i = fadd contract float %.196.i87.i, 0x4168000FE0000000
  %.200.i89.i = fadd contract float %.198.i88.i, 0xC168000FE0000000
  %.202.i90.i = fmul contract float %.200.i89.i, 0x3FE6300000000000
  %.203.i91.i = fsub contract float %_sigmoid_v269_exp_v270__exp_parts_v271__vphi146_0.2.1.i86.i, %.202.i90.i
  %.205.i92.i = fmul contract float %.200.i89.i, 0x3F2BD01060000000
  %13 = fadd contract float %.205.i92.i, %.203.i91.i
  %.208.i93.i = fmul contract float %13, 0x3F2A0D2CE0000000
  %.210.i94.i = fadd contract float %.208.i93.i, 0x3F56E879C0000000
  %.211.i95.i = fmul contract float %13, %.210.i94.i
  %.213.i96.i = fadd contract float %.211.i95.i, 0x3F81112100000000
  %.214.i97.i = fmul contract float %13, %.213.i96.i
  %.216.i98.i = fadd contract float %.214.i97.i, 0x3FA5553820000000
  %.217.i99.i = fmul contract float %13, %.216.i98.i
  %.219.i100.i = fadd contract float %.217.i99.i, 0x3FC5555540000000
  %.220.i101.i = fmul contract float %13, %.219.i100.i
  %.222.i102.i = fadd contract float %.220.i101.i, 5.000000e-01
  %.223.i103.i = fmul contract float %13, %13
  %.224.i104.i = fmul contract float %.223.i103.i, %.222.i102.i
  %.225.i105.i = fadd contract float %13, %.224.i104.i
  %.226.i106.i = bitcast float %.198.i88.i to i32
  %.230.i107.i = shl i32 %.226.i106.i, 23
  %.232.i108.i = bitcast i32 %.230.i107.i to float
  %.254.i109.i = fadd contract float %.225.i105.i, 1.000000e+00
  %.255.i110.i = fmul contract float %.254.i109.i, %.232.i108.i
  %.257.i111.i = fadd contract float %.255.i110.i, 1.000000e+00
  %.264.i112.i = fdiv contract float 1.000000e+00, %.257.i111.i
  %.269.i113.i = getelementptr float, ptr %.226.i, i64 %.34.038.i77.i
  store float %.264.i112.i, ptr %.269.i113.i, align 4, !alias.scope !44, !noalias !45
  %.92.i114.i = icmp sgt i64 %.37.039.i76.i, 1
  br i1 %.92.i114.i, label %B34.if.i75.i, label %_sigmoid_row.268.exit115.i

_sigmoid_row.268.exit115.i: ; preds = %B34.if.i75.i
  %.255.i = getelementptr float, ptr %1, i64 %.55.0169.i
  %.256.i = load float, ptr %.255.i, align 4, !alias.scope !3, !noalias !46
  %.258.i = getelementptr float, ptr %2, i64 %.163.i
  %.260.i = getelementptr float, ptr %4, i64 %.163.i
  tail call void @llvm.experimental.noalias.scope.decl(metadata !47)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !50)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !52)
  br label %B34.if.i116.i

B34.if.i116.i:                                    ; preds = %_sigmoid_row.268.exit115.i, %B34.if.i116.i
  %.49.045.i.i = phi i64 [ %.113.i.i, %B34.if.i116.i ], [ %8, %_sigmoid_row.268.exit115.i ]
  %.46.044.i.i = phi i64 [ %.117.i.i, %B34.if.i116.i ], [ 0, %_sigmoid_row.268.exit115.i ]
  %.113.i.i = add nsw i64 %.49.045.i.i, -1
  %.117.i.i = add nuw nsw i64 %.46.044.i.i, 1
  %14 = getelementptr float, ptr %.161.i, i64 %.46.044.i.i
  %.151.i.i = getelementptr i8, ptr %14, i64 %.151.idx.i.i
  %.152.i.i = load float, ptr %.151.i.i, align 4, !alias.scope !54, !noalias !55
  %.155.i.i = getelementptr float, ptr %.258.i, i64 %.46.044.i.i
  %.156.i.i = load float, ptr %.155.i.i, align 4, !alias.scope !57, !noalias !58
  %.158.i.i = fmul contract float %.256.i, %.156.i.i
  %.159.i.i = fmul contract float %.152.i.i, %.158.i.i
  %.163.i.i = load float, ptr %14, align 4, !alias.scope !54, !noalias !55
  %.168.i.i = getelementptr float, ptr %14, i64 %8
  %.169.i.i = load float, ptr %.168.i.i, align 4, !alias.scope !54, !noalias !55
  %.170.i117.i = fmul contract float %.163.i.i, %.169.i.i
  %.171.i.i = fadd contract float %.159.i.i, %.170.i117.i
  %.182.i.i = fcmp contract olt float %.171.i.i, %.180.i.i
  %.180..171.i.i = select i1 %.182.i.i, float %.180.i.i, float %.171.i.i
  %.206.i118.i = fcmp contract ogt float %.180..171.i.i, %9
  %clipped_v277__vphi46_0.2.1.i.i = select i1 %.206.i118.i, float %9, float %.180..171.i.i
  %.230.i119.i = getelementptr float, ptr %.260.i, i64 %.46.044.i.i
  store float %clipped_v277__vphi46_0.2.1.i.i, ptr %.230.i119.i, align 4, !alias.scope !59, !noalias !60
  %.104.i.i = icmp sgt i64 %.49.045.i.i, 1
  br i1 %.104.i.i, label %B34.if.i116.i, label %_cell_row.276.exit.i

_cell_row.276.exit.i: ; preds = %B34.if.i116.i
  %.291.i = getelementptr float, ptr %5, i64 %.163.i
  tail call void @llvm.experimental.noalias.scope.decl(metadata !61)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !64)
  br label %B34.if.i121.i

B34.if.i121.i:                                    ; preds = %B34.if.i121.i, %_cell_row.276.exit.i
  %.37.039.i122.i = phi i64 [ %.101.i124.i, %B34.if.i121.i ], [ %8, %_cell_row.276.exit.i ]
  %.34.038.i123.i = phi i64 [ %.105.i125.i, %B34.if.i121.i ], [ 0, %_cell_row.276.exit.i ]
  %.101.i124.i = add nsw i64 %.37.039.i122.i, -1
  %.105.i125.i = add nuw nsw i64 %.34.038.i123.i, 1
  %.136.i126.i = getelementptr float, ptr %.260.i, i64 %.34.038.i123.i
  %.137.i127.i = load float, ptr %.136.i126.i, align 4, !alias.scope !66, !noalias !67
  %.140.i128.i = fmul contract float %.137.i127.i, -2.000000e+00
  %.147.i129.i = fcmp contract olt float %.140.i128.i, -2.800000e+01
  %..140.i130.i = select i1 %.147.i129.i, float -2.800000e+01, float %.140.i128.i
  %.170.i131.i = fcmp contract ogt float %..140.i130.i, 2.800000e+01
  %_tanh_v273_exp_minus_one_v274__exp_parts_v275__vphi146_0.2.1.i132.i = select i1 %.170.i131.i, float 2.800000e+01, float %..140.i130.i
  %.189.i133.i = fmul contract float %_tanh_v273_exp_minus_one_v274__exp_parts_v275__vphi146_0.2.1.i132.i, 0x3FF7154760000000
  %.191.i134.i = fadd contract float %.189.i133.i, 0x4168000FE0000000
  %.193.i135.i = fadd contract float %.191.i134.i, 0xC168000FE0000000
  %.195.i136.i = fmul contract float %.193.i135.i, 0x3FE6300000000000
  %.196.i137.i = fsub contract float %_tanh_v273_exp_minus_one_v274__exp_parts_v275__vphi146_0.2.1.i132.i, %.195.i136.i
  %.198.i138.i = fmul contract float %.193.i135.i, 0x3F2BD01060000000
  %15 = fadd contract float %.198.i138.i, %.196.i137.i
  %.201.i139.i = fmul contract float %15, 0x3F2A0D2CE0000000
  %.203.i140.i = fadd contract float %.201.i139.i, 0x3F56E879C0000000
  %.204.i141.i = fmul contract float %15, %.203.i140.i
  %.206.i142.i = fadd contract float %.204.i141.i, 0x3F81112100000000
  %.207.i143.i = fmul contract float %15, %.206.i142.i
  %.209.i144.i = fadd contract float %.207.i143.i, 0x3FA5553820000000
  %.210.i145.i = fmul contract float %15, %.209.i144.i
  %.212.i146.i = fadd contract float %.210.i145.i, 0x3FC5555540000000
  %.213.i147.i = fmul contract float %15, %.212.i146.i
  %.215.i148.i = fadd contract float %.213.i147.i, 5.000000e-01
  %.216.i149.i = fmul contract float %15, %15
  %.217.i150.i = fmul contract float %.216.i149.i, %.215.i148.i
  %.218.i151.i = fadd contract float %15, %.217.i150.i
  %.219.i152.i = bitcast float %.191.i134.i to i32
  %.223.i153.i = shl i32 %.219.i152.i, 23
  %.225.i154.i = bitcast i32 %.223.i153.i to float
  %.246.i155.i = fmul contract float %.218.i151.i, %.225.i154.i
  %.248.i156.i = fadd contract float %.225.i154.i, -1.000000e+00
  %.249.i157.i = fadd contract float %.248.i156.i, %.246.i155.i
  %.250.i158.i = fneg contract float %.249.i157.i
  %.252.i159.i = fadd contract float %.249.i157.i, 2.000000e+00
  %.256.i160.i = fdiv contract float %.250.i158.i, %.252.i159.i
  %.259.i161.i = getelementptr float, ptr %.291.i, i64 %.34.038.i123.i
  store float %.256.i160.i, ptr %.259.i161.i, align 4, !alias.scope !69, !noalias !70
  %.92.i162.i = icmp sgt i64 %.37.039.i122.i, 1
  br i1 %.92.i162.i, label %B34.if.i121.i, label %_tanh_row.272.exit163.i

_tanh_row.272.exit163.i: ; preds = %B34.if.i121.i
  %.320.i = getelementptr i8, ptr %.161.i, i64 %.320.idx.i
  %.324.i = getelementptr float, ptr %6, i64 %.163.i
  tail call void @llvm.experimental.noalias.scope.decl(metadata !71)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !74)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !76)
  br label %B34.if.i164.i

B34.if.i164.i:                                    ; preds = %B34.if.i164.i, %_tanh_row.272.exit163.i
  %.40.036.i.i = phi i64 [ %.104.i165.i, %B34.if.i164.i ], [ %8, %_tanh_row.272.exit163.i ]
  %.37.035.i.i = phi i64 [ %.108.i.i, %B34.if.i164.i ], [ 0, %_tanh_row.272.exit163.i ]
  %.104.i165.i = add nsw i64 %.40.036.i.i, -1
  %.108.i.i = add nuw nsw i64 %.37.035.i.i, 1
  %.134.i.i = getelementptr float, ptr %.320.i, i64 %.37.035.i.i
  %.135.i.i = load float, ptr %.134.i.i, align 4, !alias.scope !78, !noalias !79
  %.137.i166.i = getelementptr float, ptr %.291.i, i64 %.37.035.i.i
  %.138.i.i = load float, ptr %.137.i166.i, align 4, !alias.scope !81, !noalias !82
  %.139.i.i = fmul contract float %.135.i.i, %.138.i.i
  %.141.i.i = getelementptr float, ptr %.324.i, i64 %.37.035.i.i
  store float %.139.i.i, ptr %.141.i.i, align 4, !alias.scope !83, !noalias !84
  %.95.i.i = icmp sgt i64 %.40.036.i.i, 1
  br i1 %.95.i.i, label %B34.if.i164.i, label %_multiply_elements.278.exit.i

_multiply_elements.278.exit.critedge.critedge.i.critedge: ; preds = %_tanh_row.272.exit.i
  tail call void @llvm.experimental.noalias.scope.decl(metadata !47)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !50)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !52)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !61)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !64)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !71)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !74)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !76)
  br label %_multiply_elements.278.exit.i

_multiply_elements.278.exit.i: ; preds = %B34.if.i164.i, %_multiply_elements.278.exit.critedge.critedge.i.critedge
  %.114.i = icmp sgt i64 %.58.0168.i, 1
  br i1 %.114.i, label %B36.if.i, label %cell_forward.267.exit

cell_forward.267.exit: ; preds = %_multiply_elements.278.exit.i, %10
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite)
declare void @llvm.experimental.noalias.scope.decl(metadata) #1

attributes #0 = { nofree norecurse nosync nounwind memory(argmem: readwrite, inaccessiblemem: readwrite) }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite) }

!0 = !{!1}
!1 = distinct !{!1, !2, !"cell_forward.267: %arg.sums"}
!2 = distinct !{!2, !"cell_forward.267"}
!3 = !{!4}
!4 = distinct !{!4, !2, !"cell_forward.267: %arg.keep"}
!5 = !{!6}
!6 = distinct !{!6, !2, !"cell_forward.267: %arg.before"}
!7 = !{!8}
!8 = distinct !{!8, !2, !"cell_forward.267: %arg.gates"}
!9 = !{!10}
!10 = distinct !{!10, !2, !"cell_forward.267: %arg.cells"}
!11 = !{!12}
!12 = distinct !{!12, !2, !"cell_forward.267: %arg.squashed"}
!13 = !{!14}
!14 = distinct !{!14, !2, !"cell_forward.267: %arg.hidden"}
!15 = !{!16}
!16 = distinct !{!16, !17, !"_sigmoid_row.268: %arg.source"}
!17 = distinct !{!17, !"_sigmoid_row.268"}
!18 = !{!19}
!19 = distinct !{!19, !17, !"_sigmoid_row.268: %arg.target"}
!20 = !{!16, !1}
!21 = !{!22, !19, !23, !4, !6, !8, !10, !12, !14}
!22 = distinct !{!22, !17, !"_sigmoid_row.268: %retptr"}
!23 = distinct !{!23, !2, !"cell_forward.267: %retptr"}
!24 = !{!19, !8}
!25 = !{!22, !16, !23, !1, !4, !6, !10, !12, !14}
!26 = !{!27}
!27 = distinct !{!27, !28, !"_tanh_row.272: %arg.source"}
!28 = distinct !{!28, !"_tanh_row.272"}
!29 = !{!30}
!30 = distinct !{!30, !28, !"_tanh_row.272: %arg.target"}
!31 = !{!27, !1}
!32 = !{!33, !30, !23, !4, !6, !8, !10, !12, !14}
!33 = distinct !{!33, !28, !"_tanh_row.272: %retptr"}
!34 = !{!30, !8}
!35 = !{!33, !27, !23, !1, !4, !6, !10, !12, !14}
!36 = !{!37}
!37 = distinct !{!37, !38, !"_sigmoid_row.268: %arg.source"}
!38 = distinct !{!38, !"_sigmoid_row.268"}
!39 = !{!40}
!40 = distinct !{!40, !38, !"_sigmoid_row.268: %arg.target"}
!41 = !{!37, !1}
!42 = !{!43, !40, !23, !4, !6, !8, !10, !12, !14}
!43 = distinct !{!43, !38, !"_sigmoid_row.268: %retptr"}
!44 = !{!40, !8}
!45 = !{!43, !37, !23, !1, !4, !6, !10, !12, !14}
!46 = !{!23, !1, !6, !8, !10, !12, !14}
!47 = !{!48}
!48 = distinct !{!48, !49, !"_cell_row.276: %arg.gate"}
!49 = distinct !{!49, !"_cell_row.276"}
!50 = !{!51}
!51 = distinct !{!51, !49, !"_cell_row.276: %arg.old"}
!52 = !{!53}
!53 = distinct !{!53, !49, !"_cell_row.276: %arg.new"}
!54 = !{!48, !8}
!55 = !{!56, !51, !53, !23, !1, !4, !6, !10, !12, !14}
!56 = distinct !{!56, !49, !"_cell_row.276: %retptr"}
!57 = !{!51, !6}
!58 = !{!56, !48, !53, !23, !1, !4, !8, !10, !12, !14}
!59 = !{!53, !10}
!60 = !{!56, !48, !51, !23, !1, !4, !6, !8, !12, !14}
!61 = !{!62}
!62 = distinct !{!62, !63, !"_tanh_row.272: %arg.source"}
!63 = distinct !{!63, !"_tanh_row.272"}
!64 = !{!65}
!65 = distinct !{!65, !63, !"_tanh_row.272: %arg.target"}
!66 = !{!62, !10}
!67 = !{!68, !65, !23, !1, !4, !6, !8, !12, !14}
!68 = distinct !{!68, !63, !"_tanh_row.272: %retptr"}
!69 = !{!65, !12}
!70 = !{!68, !62, !23, !1, !4, !6, !8, !10, !14}
!71 = !{!72}
!72 = distinct !{!72, !73, !"_multiply_elements.278: %arg.one"}
!73 = distinct !{!73, !"_multiply_elements.278"}
!74 = !{!75}
!75 = distinct !{!75, !73, !"_multiply_elements.278: %arg.other"}
!76 = !{!77}
!77 = distinct !{!77, !73, !"_multiply_elements.278: %arg.target"}
!78 = !{!72, !8}
!79 = !{!80, !75, !77, !23, !1, !4, !6, !10, !12, !14}
!80 = distinct !{!80, !73, !"_multiply_elements.278: %retptr"}
!81 = !{!75, !12}
!82 = !{!80, !72, !77, !23, !1, !4, !6, !8, !10, !14}
!83 = !{!77, !14}
!84 = !{!80, !72, !75, !23, !1, !4, !6, !8, !10, !12}

; loop: cell_backward
; ModuleID = '<string>'
source_filename = "<string>"

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.fabs.f32(float) #0

; Function Attrs: nofree norecurse nosync nounwind memory(argmem: readwrite, inaccessiblemem: readwrite)
define void @cell_backward(ptr noalias %0, ptr noalias readonly %1, ptr noalias readonly %2, ptr noalias readonly %3, ptr noalias readonly %4, ptr noalias readonly %5, ptr noalias %6, i64 %7, i64 %8, float %9) local_unnamed_addr #1 {
  tail call void @llvm.experimental.noalias.scope.decl(metadata !0)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !3)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !5)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !7)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !9)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !11)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !13)
  %.11338.not.i = icmp slt i64 %7, 1
  br i1 %.11338.not.i, label %cell_backward.279.exit, label %B34.if.lr.ph.i

B34.if.lr.ph.i:                                   ; preds = %10
  %.151.i = shl i64 %8, 2
  %.11757.not.i.i = icmp slt i64 %8, 1
  %.173.idx.i.i = shl i64 %8, 3
  %.180.idx.i.i = mul i64 %8, 12
  br label %B34.if.i

B34.if.i:                                         ; preds = %_gradients_of_row.280.exit.i, %B34.if.lr.ph.i
  %.55.040.i = phi i64 [ 0, %B34.if.lr.ph.i ], [ %.126.i, %_gradients_of_row.280.exit.i ]
  %.58.039.i = phi i64 [ %7, %B34.if.lr.ph.i ], [ %.122.i, %_gradients_of_row.280.exit.i ]
  %.122.i = add nsw i64 %.58.039.i, -1
  %.126.i = add nuw nsw i64 %.55.040.i, 1
  %.153.i = mul i64 %.151.i, %.55.040.i
  %.155.i = getelementptr float, ptr %0, i64 %.153.i
  %.157.i = mul nsw i64 %.55.040.i, %8
  %.160.i = getelementptr float, ptr %1, i64 %.55.040.i
  %.161.i = load float, ptr %.160.i, align 4, !alias.scope !3, !noalias !15
  %.163.i = getelementptr float, ptr %2, i64 %.157.i
  %.165.i = getelementptr float, ptr %3, i64 %.157.i
  %.167.i = getelementptr float, ptr %4, i64 %.157.i
  %.169.i = getelementptr float, ptr %5, i64 %.157.i
  %.171.i = getelementptr float, ptr %6, i64 %.157.i
  tail call void @llvm.experimental.noalias.scope.decl(metadata !17)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !20)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !22)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !24)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !26)
  tail call void @llvm.experimental.noalias.scope.decl(metadata !28)
  br i1 %.11757.not.i.i, label %_gradients_of_row.280.exit.i, label %B64.if.i.i

B292.i.i:                                         ; preds = %B64.if.i.i
  %.228.i.i = load float, ptr %.227.i.i, align 4, !alias.scope !30, !noalias !31
  %.232.i.i = load float, ptr %.231.i.i, align 4, !alias.scope !33, !noalias !34
  %.234.i.i = fmul contract float %.181.i.i, %.232.i.i
  %.237.i.i = fmul contract float %.221.i.i, %.221.i.i
  %.239.i.i = fsub contract float 1.000000e+00, %.237.i.i
  %.240.i.i = fmul contract float %.239.i.i, %.234.i.i
  %.241.i.i = fadd contract float %.228.i.i, %.240.i.i
  br label %B324.i.i

B324.i.i:                                         ; preds = %B64.if.i.i, %B292.i.i
  %"$phi324.1.2.1.i.i" = phi float [ %.241.i.i, %B292.i.i ], [ 0.000000e+00, %B64.if.i.i ]
  %.270.i.i = fmul contract float %.167.i.i, %"$phi324.1.2.1.i.i"
  %.272.i.i = fmul contract float %.161.i.i, %.270.i.i
  %.275.i.i = fsub contract float 1.000000e+00, %.161.i.i
  %.276.i.i = fmul contract float %.275.i.i, %.272.i.i
  store float %.276.i.i, ptr %.160.i.i, align 4, !alias.scope !35, !noalias !36
  %.282.i.i = fmul contract float %.161.i.i, %"$phi324.1.2.1.i.i"
  %.287.i.i = fmul contract float %.167.i.i, %.167.i.i
  %.291.i.i = fsub contract float 1.000000e+00, %.287.i.i
  %.292.i.i = fmul contract float %.291.i.i, %.282.i.i
  store float %.292.i.i, ptr %.166.i.i, align 4, !alias.scope !35, !noalias !36
  %.301.i.i = getelementptr float, ptr %.163.i, i64 %.59.058.i.i
  %.302.i.i = load float, ptr %.301.i.i, align 4, !alias.scope !37, !noalias !38
  %.304.i.i = fmul contract float %.161.i, %.302.i.i
  %.305.i.i = fmul contract float %"$phi324.1.2.1.i.i", %.304.i.i
  %.307.i.i = fmul contract float %.174.i.i, %.305.i.i
  %.310.i.i = fsub contract float 1.000000e+00, %.174.i.i
  %.311.i.i = fmul contract float %.310.i.i, %.307.i.i
  store float %.311.i.i, ptr %.173.i.i, align 4, !alias.scope !35, !noalias !36
  %.322.i.i = load float, ptr %.231.i.i, align 4, !alias.scope !33, !noalias !34
  %.324.i.i = fmul contract float %.221.i.i, %.322.i.i
  %.328.i.i = fmul contract float %.181.i.i, %.324.i.i
  %.331.i.i = fsub contract float 1.000000e+00, %.181.i.i
  %.334.i.i = fmul contract float %.331.i.i, %.328.i.i
  store float %.334.i.i, ptr %.180.i.i, align 4, !alias.scope !35, !noalias !36
  %.343.i.i = fmul contract float %.174.i.i, %"$phi324.1.2.1.i.i"
  %.347.i.i = fmul contract float %.161.i, %.343.i.i
  store float %.347.i.i, ptr %.227.i.i, align 4, !alias.scope !30, !noalias !31
  %.117.i.i = icmp sgt i64 %.62.059.i.i, 1
  br i1 %.117.i.i, label %B64.if.i.i, label %_gradients_of_row.280.exit.i

B64.if.i.i:                                       ; preds = %B34.if.i, %B324.i.i
  %.62.059.i.i = phi i64 [ %.126.i.i, %B324.i.i ], [ %8, %B34.if.i ]
  %.59.058.i.i = phi i64 [ %.130.i.i, %B324.i.i ], [ 0, %B34.if.i ]
  %.126.i.i = add nsw i64 %.62.059.i.i, -1
  %.130.i.i = add nuw nsw i64 %.59.058.i.i, 1
  %.160.i.i = getelementptr float, ptr %.155.i, i64 %.59.058.i.i
  %.161.i.i = load float, ptr %.160.i.i, align 4, !alias.scope !35, !noalias !36
  %.166.i.i = getelementptr float, ptr %.160.i.i, i64 %8
  %.167.i.i = load float, ptr %.166.i.i, align 4, !alias.scope !35, !noalias !36
  %.173.i.i = getelementptr i8, ptr %.160.i.i, i64 %.173.idx.i.i
  %.174.i.i = load float, ptr %.173.i.i, align 4, !alias.scope !35, !noalias !36
  %.180.i.i = getelementptr i8, ptr %.160.i.i, i64 %.180.idx.i.i
  %.181.i.i = load float, ptr %.180.i.i, align 4, !alias.scope !35, !noalias !36
  %.220.i.i = getelementptr float, ptr %.167.i, i64 %.59.058.i.i
  %.221.i.i = load float, ptr %.220.i.i, align 4, !alias.scope !39, !noalias !40
  %.227.i.i = getelementptr float, ptr %.171.i, i64 %.59.058.i.i
  %.231.i.i = getelementptr float, ptr %.169.i, i64 %.59.058.i.i
  %.247.i.i = getelementptr float, ptr %.165.i, i64 %.59.058.i.i
  %.248.i.i = load float, ptr %.247.i.i, align 4, !alias.scope !41, !noalias !42
  %.249.i.i = tail call contract float @llvm.fabs.f32(float %.248.i.i)
  %.251.i.i = fcmp contract olt float %.249.i.i, %9
  br i1 %.251.i.i, label %B292.i.i, label %B324.i.i

_gradients_of_row.280.exit.i: ; preds = %B324.i.i, %B34.if.i
  %.113.i = icmp sgt i64 %.58.039.i, 1
  br i1 %.113.i, label %B34.if.i, label %cell_backward.279.exit

cell_backward.279.exit: ; preds = %_gradients_of_row.280.exit.i, %10
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite)
declare void @llvm.experimental.noalias.scope.decl(metadata) #2

attributes #0 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #1 = { nofree norecurse nosync nounwind memory(argmem: readwrite, inaccessiblemem: readwrite) }
attributes #2 = { nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite) }

!0 = !{!1}
!1 = distinct !{!1, !2, !"cell_backward.279: %arg.gates"}
!2 = distinct !{!2, !"cell_backward.279"}
!3 = !{!4}
!4 = distinct !{!4, !2, !"cell_backward.279: %arg.keep"}
!5 = !{!6}
!6 = distinct !{!6, !2, !"cell_backward.279: %arg.before"}
!7 = !{!8}
!8 = distinct !{!8, !2, !"cell_backward.279: %arg.cells"}
!9 = !{!10}
!10 = distinct !{!10, !2, !"cell_backward.279: %arg.squashed"}
!11 = !{!12}
!12 = distinct !{!12, !2, !"cell_backward.279: %arg.d_hidden"}
!13 = !{!14}
!14 = distinct !{!14, !2, !"cell_backward.279: %arg.d_cell"}
!15 = !{!16, !1, !6, !8, !10, !12, !14}
!16 = distinct !{!16, !2, !"cell_backward.279: %retptr"}
!17 = !{!18}
!18 = distinct !{!18, !19, !"_gradients_of_row.280: %arg.gate"}
!19 = distinct !{!19, !"_gradients_of_row.280"}
!20 = !{!21}
!21 = distinct !{!21, !19, !"_gradients_of_row.280: %arg.old"}
!22 = !{!23}
!23 = distinct !{!23, !19, !"_gradients_of_row.280: %arg.new"}
!24 = !{!25}
!25 = distinct !{!25, !19, !"_gradients_of_row.280: %arg.squashed"}
!26 = !{!27}
!27 = distinct !{!27, !19, !"_gradients_of_row.280: %arg.d_out"}
!28 = !{!29}
!29 = distinct !{!29, !19, !"_gradients_of_row.280: %arg.d_next"}
!30 = !{!29, !14}
!31 = !{!32, !18, !21, !23, !25, !27, !16, !1, !4, !6, !8, !10, !12}
!32 = distinct !{!32, !19, !"_gradients_of_row.280: %retptr"}
!33 = !{!27, !12}
!34 = !{!32, !18, !21, !23, !25, !29, !16, !1, !4, !6, !8, !10, !14}
!35 = !{!18, !1}
!36 = !{!32, !21, !23, !25, !27, !29, !16, !4, !6, !8, !10, !12, !14}
!37 = !{!21, !6}
!38 = !{!32, !18, !23, !25, !27, !29, !16, !1, !4, !8, !10, !12, !14}
!39 = !{!25, !10}
!40 = !{!32, !18, !21, !23, !27, !29, !16, !1, !4, !6, !8, !12, !14}
!41 = !{!23, !8}
!42 = !{!32, !18, !21, !25, !27, !29, !16, !1, !4, !6, !10, !12, !14}
